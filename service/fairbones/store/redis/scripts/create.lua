-- Keep a new match. KEYS: match, steps, outbox.
-- ARGV: step, seed, key, request hash, ruleset, join by, told, status, taken, open, due.
-- A field that is not there is empty; a key begins with 'k'.
-- Answers {1, state}: kept. {2, mine}: a match of this id begins with this very step.
-- {3, mine}: it begins otherwise, or was forgotten. `mine` is 1 when it was opened with this key.
if redis.call('EXISTS', KEYS[1]) == 1 then
  local was = redis.call('HMGET', KEYS[1], 'key', 'hash')
  local mine = 0
  if ARGV[3] ~= '' and was[1] == ARGV[3] and was[2] == ARGV[4] then mine = 1 end
  if redis.call('LINDEX', KEYS[2], 0) == ARGV[1] then return {2, mine} end
  return {3, mine}
end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000000 + time[2])
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[1], 'seed', ARGV[2], 'key', ARGV[3], 'hash', ARGV[4], 'rules', ARGV[5],
  'join', ARGV[6], 'told', ARGV[7], 'status', ARGV[8], 'taken', ARGV[9], 'open', ARGV[10],
  'due', ARGV[11], 'kept', now, 'rev', now)
redis.call('SET', KEYS[3], now)
return {1, {now, now, ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ''}}

-- Keep a whole match of another store. KEYS: match, steps, claims, outbox.
-- ARGV: seed, key, request hash, ruleset, join by, told, status, taken, open, due,
-- number of claims, a seat and a claim for each, steps.
-- Answers {1, state}: kept. {2}: a match of this id is here, or was.
if redis.call('EXISTS', KEYS[1]) == 1 then return {2} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000000 + time[2])
local at = 12
for _ = 1, tonumber(ARGV[11]) do
  redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  at = at + 2
end
for index = at, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[index]) end
redis.call('HSET', KEYS[1], 'seed', ARGV[1], 'key', ARGV[2], 'hash', ARGV[3], 'rules', ARGV[4],
  'join', ARGV[5], 'told', ARGV[6], 'status', ARGV[7], 'taken', ARGV[8], 'open', ARGV[9],
  'due', ARGV[10], 'kept', now, 'rev', now)
redis.call('SET', KEYS[4], now)
return {1, {now, now, ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ''}}

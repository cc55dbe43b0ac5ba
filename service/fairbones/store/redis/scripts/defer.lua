-- When the clock may owe a match something; never again once it is over.
-- KEYS: match, outbox. ARGV: due, or '' for never again.
-- Answers {0}: no such match. {1, state}: changed. {2}: as it was.
local was = redis.call('HMGET', KEYS[1], 'due', 'rev', 'gone')
if not was[2] or was[3] then return {0} end
if was[1] == '' or was[1] == ARGV[1] then return {2} end
local time = redis.call('TIME')
local rev = math.max(time[1] * 1000000 + time[2], tonumber(was[2]) + 1)
rev = string.format('%.0f', rev)
redis.call('HSET', KEYS[1], 'due', ARGV[1], 'rev', rev)
redis.call('SET', KEYS[2], rev)
return {1, redis.call('HMGET', KEYS[1], 'rev', 'kept', 'rules', 'join', 'told', 'status',
  'taken', 'open', 'due', 'gone')}

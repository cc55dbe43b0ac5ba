-- Drop a match but for its id. KEYS: match, steps, claims, outbox.
-- Answers {0}: there is none. {1, key, request hash, state}: dropped.
local was = redis.call('HMGET', KEYS[1], 'key', 'hash', 'rev', 'gone', 'rules', 'kept')
if not was[3] or was[4] then return {0} end
local time = redis.call('TIME')
local rev = math.max(time[1] * 1000000 + time[2], tonumber(was[3]) + 1)
rev = string.format('%.0f', rev)
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'gone', '1', 'rev', rev, 'kept', was[6])
redis.call('SET', KEYS[4], rev)
return {1, was[1], was[2], {rev, was[6], '', '', '', '', '', '', '', '1'}}

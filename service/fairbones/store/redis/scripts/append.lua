-- Append one step. KEYS: match, steps, claims, outbox.
-- ARGV: step, its first seq, '1' and the receipt of the step before it or '' twice,
-- seat and claim or '' twice, status, taken and open or '' three times.
-- Answers {0}: no such match. {1, owed, state}: kept; `owed` is 1 when the lists may lag behind,
-- `state` is there when this step has changed it. {2}: this very step is the last one already.
-- {3}: another seq is next, or another step is last. {4}: the seat is taken. {5}: damaged.
local last = redis.call('LINDEX', KEYS[2], -1)
if not last then return {0} end
if last == ARGV[1] then return {2} end
if #last < 17 or string.byte(last) ~= 1 then return {5} end
local first, count, length = struct.unpack('>I8I4I4', string.sub(last, 2, 17))
if first + count ~= tonumber(ARGV[2]) then return {3} end
if ARGV[3] ~= '' and string.sub(last, 18, 17 + length) ~= ARGV[4] then return {3} end
if ARGV[5] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[5]) == 1 then return {4} end
redis.call('RPUSH', KEYS[2], ARGV[1])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[3], ARGV[5], ARGV[6]) end
if ARGV[7] == '' then return {1, redis.call('EXISTS', KEYS[4])} end
local was = redis.call('HMGET', KEYS[1], 'join', 'rev')
if not was[1] or was[1] == '' then return {1, redis.call('EXISTS', KEYS[4])} end
local time = redis.call('TIME')
local rev = math.max(time[1] * 1000000 + time[2], tonumber(was[2]) + 1)
rev = string.format('%.0f', rev)
redis.call('HSET', KEYS[1], 'status', ARGV[7], 'taken', ARGV[8], 'open', ARGV[9], 'rev', rev)
redis.call('SET', KEYS[4], rev)
return {1, 0, redis.call('HMGET', KEYS[1], 'rev', 'kept', 'rules', 'join', 'told', 'status',
  'taken', 'open', 'due', 'gone')}

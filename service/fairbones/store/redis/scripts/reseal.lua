-- Put another sealed seed in place of the one that is known. KEYS: match. ARGV: old, new.
-- Answers 1: done. 2: the new one is there already. 0: another one is, or no match.
local seed = redis.call('HGET', KEYS[1], 'seed')
if not seed then return 0 end
if seed == ARGV[1] then
  redis.call('HSET', KEYS[1], 'seed', ARGV[2])
  return 1
end
if seed == ARGV[2] then return 2 end
return 0

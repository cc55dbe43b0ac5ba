-- Put a value in place of the one that is known. KEYS: key. ARGV: old, new ('' takes it away).
-- Answers the value that is there now, '' for none.
local now = redis.call('GET', KEYS[1])
if now == ARGV[1] then
  if ARGV[2] == '' then
    redis.call('DEL', KEYS[1])
  else
    redis.call('SET', KEYS[1], ARGV[2])
  end
  return ARGV[2]
end
return now or ''

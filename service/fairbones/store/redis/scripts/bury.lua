-- Make sure that an id that was chosen and never kept is never kept. KEYS: match.
-- Answers {state of 'key', 'hash', 'gone'} of a match that is or was here, {} for one that is not.
-- ARGV: '1' to bury it then, '' to look only.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('HMGET', KEYS[1], 'key', 'hash', 'gone')
end
if ARGV[1] == '1' then
  local time = redis.call('TIME')
  local now = string.format('%.0f', time[1] * 1000000 + time[2])
  redis.call('HSET', KEYS[1], 'gone', '1', 'rev', now, 'kept', now)
end
return {}

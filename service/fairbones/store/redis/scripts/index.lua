-- Show a match in the lists as it is, unless they show a later state of it.
-- KEYS: rows, all, due, reach. ARGV: id, and its state: revision, kept, ruleset, join by, told,
-- status, taken, open, due, gone. Without a revision there is no such match any more.
-- The other sorted sets lie in the same slot: they share the tag of KEYS.
-- A row: revision, ruleset, status, join by, taken, open, told; of a forgotten match the first.
local id, rev, kept, rules, join, told, status, taken, open, due, gone = unpack(ARGV)
local packed = redis.call('HGET', KEYS[1], id)
local row = packed and cmsgpack.unpack(packed) or {}
if row[1] and rev ~= '' and tonumber(row[1]) >= tonumber(rev) then return 0 end

local function place(of_rules, of_status)
  return 'fb:{list}:status:' .. of_status, 'fb:{list}:both:' .. of_status .. ':' .. of_rules
end

local listed = gone == '' and join ~= ''
if row[2] and (not listed or row[3] ~= status) then
  local by_status, by_both = place(row[2], row[3])
  redis.call('ZREM', by_status, id)
  redis.call('ZREM', by_both, id)
end
if row[2] and not listed then
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZREM', 'fb:{list}:rules:' .. row[2], id)
end
if gone == '' and due ~= '' then
  redis.call('ZADD', KEYS[3], due, id)
else
  redis.call('ZREM', KEYS[3], id)
end
if rev == '' then
  redis.call('HDEL', KEYS[1], id)
elseif not listed then
  redis.call('HSET', KEYS[1], id, cmsgpack.pack({rev}))
else
  local by_status, by_both = place(rules, status)
  redis.call('ZADD', KEYS[2], kept, id)
  redis.call('ZADD', 'fb:{list}:rules:' .. rules, kept, id)
  redis.call('ZADD', by_status, kept, id)
  redis.call('ZADD', by_both, kept, id)
  redis.call('HSET', KEYS[1], id, cmsgpack.pack({rev, rules, status, join, taken, open, told}))
  -- The longest time to join that any match ever had: how far back one may still be joined.
  local reach = tonumber(join) - math.floor(tonumber(kept) / 1000)
  local known = tonumber(redis.call('GET', KEYS[4]) or '')
  if not known or reach > known then redis.call('SET', KEYS[4], string.format('%.0f', reach)) end
end
return 1

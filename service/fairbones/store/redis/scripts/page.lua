-- Listed matches, the last kept first. KEYS: the sorted set to walk, all, rows, reach.
-- ARGV: limit, below (an id or ''), join after (or ''), most matches to look at.
-- Answers false: `below` is in no list. Else {id to go on below or '', rows...}; a row is
-- id, join by, told, status, taken, open.
local limit, below, after, budget = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local from = 0
if below ~= '' then
  local score = redis.call('ZSCORE', KEYS[2], below)
  if not score then return false end
  local rank = redis.call('ZREVRANK', KEYS[1], below)
  if rank then
    from = rank + 1
  else
    -- It is in another list: count those that stand before it here. Of those kept in the same
    -- microsecond the higher id stands first. Ids are hex, and compared as bytes are.
    from = redis.call('ZCOUNT', KEYS[1], '(' .. score, '+inf')
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], score, score)) do
      for at = 1, #id do
        local mine, other = string.byte(id, at), string.byte(below, at)
        if mine ~= other then
          if mine > other then from = from + 1 end
          break
        end
      end
    end
  end
end
local floor = nil
if after then
  -- A match that was kept before this could be joined no longer than `after`.
  floor = (after - tonumber(redis.call('GET', KEYS[4]) or '0')) * 1000
end
local found, go_on = {}, ''
while limit > 0 do
  local ids = redis.call('ZREVRANGE', KEYS[1], from, from + limit - 1, 'WITHSCORES')
  if #ids == 0 then break end
  for at = 1, #ids, 2 do
    if floor and tonumber(ids[at + 1]) < floor then return {'', unpack(found)} end
    local row = cmsgpack.unpack(redis.call('HGET', KEYS[3], ids[at]))
    if not after or tonumber(row[4]) > after then
      found[#found + 1] = {ids[at], row[4], row[7], row[3], row[5], row[6]}
      limit = limit - 1
      if limit == 0 then return {'', unpack(found)} end
    end
    budget = budget - 1
    go_on = ids[at]
  end
  if budget <= 0 then return {go_on, unpack(found)} end
  from = from + #ids / 2
end
return {'', unpack(found)}

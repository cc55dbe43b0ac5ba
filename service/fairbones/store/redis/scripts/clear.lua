-- The lists show a match as of this revision. KEYS: outbox. ARGV: revision.
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0

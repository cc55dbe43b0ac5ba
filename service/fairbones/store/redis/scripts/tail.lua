-- The end of a match at one moment. KEYS: steps, claims. ARGV: index of the first step wanted.
-- (A transaction would be refused where memory is full, though it only reads.)
-- Answers {steps, claims flat, 1 when there is such a match}.
return {redis.call('LRANGE', KEYS[1], ARGV[1], -1), redis.call('HGETALL', KEYS[2]),
  redis.call('EXISTS', KEYS[1])}

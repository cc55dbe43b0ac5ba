-- All of a match at one moment. KEYS: match, steps, claims, outbox.
-- Answers {{seed, key, request hash}, state, steps, claims flat, 1 when the lists may lag behind}.
return {redis.call('HMGET', KEYS[1], 'seed', 'key', 'hash'),
  redis.call('HMGET', KEYS[1], 'rev', 'kept', 'rules', 'join', 'told', 'status', 'taken', 'open',
    'due', 'gone'),
  redis.call('LRANGE', KEYS[2], 0, -1), redis.call('HGETALL', KEYS[3]),
  redis.call('EXISTS', KEYS[4])}

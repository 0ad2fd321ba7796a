/**
 * KEYS: one brake (hash). ARGV: operation, then `hit`: for how many ms.
 * By the server's clock, so that all workers mean the same moment.
 */
export const BRAKE_SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local untilMs = tonumber(redis.call('HGET', KEYS[1], 'until')) or 0
if ARGV[1] == 'hit' then
  local ms = tonumber(ARGV[2])
  -- Those who hit it together are one hit.
  if untilMs <= now then redis.call('HINCRBY', KEYS[1], 'hits', 1) end
  if now + ms > untilMs then
    untilMs = now + ms
    redis.call('HSET', KEYS[1], 'until', untilMs)
  end
  -- What was long ago no longer says how fast to go on.
  redis.call('PEXPIRE', KEYS[1], untilMs - now + 60000)
end
return { math.max(0, untilMs - now), tonumber(redis.call('HGET', KEYS[1], 'hits')) or 0 }
`;

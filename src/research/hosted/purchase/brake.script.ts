/**
 * KEYS: one brake (its end, in ms). ARGV: operation, then `hit`: for how many ms. Answers for how many ms it is on.
 * By the server's clock, so that all workers mean the same moment.
 */
export const BRAKE_SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local untilMs = tonumber(redis.call('GET', KEYS[1])) or 0
if ARGV[1] == 'hit' and now + ARGV[2] > untilMs then
  untilMs = now + ARGV[2]
  redis.call('SET', KEYS[1], untilMs, 'PX', ARGV[2])
end
return math.max(0, untilMs - now)
`;

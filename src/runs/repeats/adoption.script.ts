/**
 * KEYS[1]: hash of the runs of one request, each by its idempotency key: `held <ms>`, a caller waits for it, who is gone at
 * that time unless it is renewed, or `answered <ms>`, its caller got it then. Times are those of Redis.
 *
 * ARGV: the key of a new run; whose runs are taken over ('none', 'left' by callers who have gone, 'any'); for how long a
 * run is held and an answered one is kept, in ms; whether to wait for callers who may have gone ('1'). Answers the key of the
 * run that is held from now on, or '' and the ms after which it is known who has gone.
 */
export const ADOPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holdMs, answeredMs = tonumber(ARGV[3]), tonumber(ARGV[4])
local left, other, wait
local runs = redis.call('HGETALL', KEYS[1])
for at = 1, #runs, 2 do
  local state, ms = string.match(runs[at + 1], '(%a+) (%d+)')
  ms = tonumber(ms)
  if state == 'answered' and (ms + answeredMs <= now or #runs > 200) then
    redis.call('HDEL', KEYS[1], runs[at])
  elseif state == 'held' and ms <= now then
    left = runs[at]
  else
    other = runs[at]
    if state == 'held' then wait = math.min(wait or holdMs, ms - now) end
  end
end
local key = ARGV[2] ~= 'none' and left or ARGV[2] == 'any' and other
if not key and ARGV[2] == 'left' and wait and ARGV[5] == '1' then return {'', wait} end
key = key or ARGV[1]
redis.call('HSET', KEYS[1], key, 'held ' .. now + holdMs)
redis.call('PEXPIRE', KEYS[1], 24 * 60 * 60 * 1000)
return {key, 0}`;

/** KEYS[1] as above. ARGV: the key of a run; its new state; the ms from now that go with it. */
export const MARK = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. now + ARGV[3])`;

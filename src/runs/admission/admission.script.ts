/**
 * Decides which runs may begin. KEYS, of one slot: the waiting list (sorted set: rank of the priority; ids sort by time of
 * submission), the admitted (hash: id -> pool), how many of each pool (hash: pool -> count).
 * ARGV: the operation, the id, then the operation's own arguments.
 */
export const ADMISSION_SCRIPT = `
local waiting, admitted, counts, id = KEYS[1], KEYS[2], KEYS[3], ARGV[2]

local op = {}

-- rank; returns how many are ahead
function op.join()
  if redis.call('HEXISTS', admitted, id) == 0 then redis.call('ZADD', waiting, ARGV[3], id) end
  return { redis.call('ZRANK', waiting, id) }
end

-- rank, pool, limit (0: none); returns 'in' and who else may enter now, or 'wait' and how many are ahead
function op.enter()
  if redis.call('HEXISTS', admitted, id) == 1 then return { 'in' } end
  local limit = tonumber(ARGV[5])
  local free = limit - (tonumber(redis.call('HGET', counts, ARGV[4])) or 0)
  redis.call('ZADD', waiting, 'NX', ARGV[3], id)
  local ahead = redis.call('ZRANK', waiting, id)
  if limit > 0 and ahead >= free then return { 'wait', ahead } end
  redis.call('ZREM', waiting, id)
  redis.call('HSET', admitted, id, ARGV[4])
  redis.call('HINCRBY', counts, ARGV[4], 1)
  if limit > 0 and free > 1 then return { 'in', redis.call('ZRANGE', waiting, 0, 0)[1] } end
  return { 'in' }
end

-- pool, limit; returns the waiting runs that may enter
function op.admissible()
  local free = tonumber(ARGV[4]) - (tonumber(redis.call('HGET', counts, ARGV[3])) or 0)
  if free <= 0 then return {} end
  return redis.call('ZRANGE', waiting, 0, math.min(free, 100) - 1)
end

-- returns the first of the waiting list if a place became free
function op.leave()
  redis.call('ZREM', waiting, id)
  local pool = redis.call('HGET', admitted, id)
  if not pool then return {} end
  redis.call('HDEL', admitted, id)
  if redis.call('HINCRBY', counts, pool, -1) <= 0 then redis.call('HDEL', counts, pool) end
  return redis.call('ZRANGE', waiting, 0, 0)
end

local function counted()
  local real = {}
  for _, pool in ipairs(redis.call('HVALS', admitted)) do real[pool] = (real[pool] or 0) + 1 end
  return real
end

-- returns the pools whose count differs from the number of their admitted runs
function op.miscounted()
  local real, wrong = counted(), {}
  local noted = redis.call('HGETALL', counts)
  for i = 1, #noted, 2 do
    if real[noted[i]] ~= tonumber(noted[i + 1]) then wrong[#wrong + 1] = noted[i] end
    real[noted[i]] = nil
  end
  for pool in pairs(real) do wrong[#wrong + 1] = pool end
  return wrong
end

function op.recount()
  redis.call('DEL', counts)
  for pool, count in pairs(counted()) do redis.call('HSET', counts, pool, count) end
  return {}
end

return op[ARGV[1]]()
`;

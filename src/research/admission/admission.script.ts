/**
 * Who may run, of all that are submitted. KEYS, of one slot: the line (sorted set: rank of the priority; ids sort by
 * time of submission), the admitted (hash: id -> model), how many of each model (hash: model -> count).
 * ARGV: the operation, the id, then the operation's own arguments.
 */
export const ADMISSION_SCRIPT = `
local line, admitted, counts, id = KEYS[1], KEYS[2], KEYS[3], ARGV[2]

local op = {}

-- rank; answers how many go before
function op.join()
  if redis.call('HEXISTS', admitted, id) == 0 then redis.call('ZADD', line, ARGV[3], id) end
  return { redis.call('ZRANK', line, id) }
end

-- rank, model, limit (0: none); answers 'in' and who else has a place now, or 'wait' and how many go before
function op.enter()
  if redis.call('HEXISTS', admitted, id) == 1 then return { 'in' } end
  local limit = tonumber(ARGV[5])
  local free = limit - (tonumber(redis.call('HGET', counts, ARGV[4])) or 0)
  redis.call('ZADD', line, 'NX', ARGV[3], id)
  local before = redis.call('ZRANK', line, id)
  if limit > 0 and before >= free then return { 'wait', before } end
  redis.call('ZREM', line, id)
  redis.call('HSET', admitted, id, ARGV[4])
  redis.call('HINCRBY', counts, ARGV[4], 1)
  if limit > 0 and free > 1 then return { 'in', redis.call('ZRANGE', line, 0, 0)[1] } end
  return { 'in' }
end

-- model, limit; answers those in line for whom there is a place
function op.admissible()
  local free = tonumber(ARGV[4]) - (tonumber(redis.call('HGET', counts, ARGV[3])) or 0)
  if free <= 0 then return {} end
  return redis.call('ZRANGE', line, 0, math.min(free, 100) - 1)
end

-- answers who is first in line, if a place became free
function op.leave()
  redis.call('ZREM', line, id)
  local model = redis.call('HGET', admitted, id)
  if not model then return {} end
  redis.call('HDEL', admitted, id)
  if redis.call('HINCRBY', counts, model, -1) <= 0 then redis.call('HDEL', counts, model) end
  return redis.call('ZRANGE', line, 0, 0)
end

local function counted()
  local real = {}
  for _, model in ipairs(redis.call('HVALS', admitted)) do real[model] = (real[model] or 0) + 1 end
  return real
end

-- answers the models whose count is not what the admitted come to
function op.miscounted()
  local real, wrong = counted(), {}
  local noted = redis.call('HGETALL', counts)
  for i = 1, #noted, 2 do
    if real[noted[i]] ~= tonumber(noted[i + 1]) then wrong[#wrong + 1] = noted[i] end
    real[noted[i]] = nil
  end
  for model in pairs(real) do wrong[#wrong + 1] = model end
  return wrong
end

function op.recount()
  redis.call('DEL', counts)
  for model, count in pairs(counted()) do redis.call('HSET', counts, model, count) end
  return {}
end

return op[ARGV[1]]()
`;

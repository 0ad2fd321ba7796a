import { TURNS_SCRIPT } from './turns.script';

/**
 * Decides which runs may begin. KEYS, of one slot: everyone who waits (sorted set: rank of the priority; ids sort by time of
 * submission), the admitted (hash: id -> pool), how many of each pool (hash: pool -> count), where the waiting runs stand
 * (hash: id -> group|account|rank), the virtual time of each group (hash), the accounts of the admitted (hash: id -> account),
 * the prefix of the keys of groups and accounts.
 * ARGV: the operation, the id, then the operation's own arguments.
 */
export const ADMISSION_SCRIPT = `
${TURNS_SCRIPT}
local id = ARGV[2]
local op = {}

-- The places of the pool and of the process that asks, whichever are fewer; 0: no limit.
local function freeOf(pool, limit, room)
  local free = room > 0 and room or math.huge
  if limit == 0 then return free end
  return math.min(free, limit - (tonumber(redis.call('HGET', counts, pool)) or 0))
end

-- Returns whether it had a place.
local function giveUp()
  redis.call('ZREM', line, id)
  drop(id)
  release(id)
  local pool = redis.call('HGET', admitted, id)
  if not pool then return false end
  redis.call('HDEL', admitted, id)
  if redis.call('HINCRBY', counts, pool, -1) <= 0 then redis.call('HDEL', counts, pool) end
  return true
end

-- rank, group, account, weight, most of the account, rank in line; returns how many are ahead
function op.join()
  if redis.call('HEXISTS', admitted, id) == 1 then return {} end
  redis.call('ZADD', line, ARGV[8], id)
  add(id, ARGV[4], ARGV[5], ARGV[3], ARGV[6], ARGV[7])
  return { ahead(id) }
end

-- The same for a run that gives up its place.
function op.rejoin()
  giveUp()
  return op.join()
end

-- rank, group, account, weight, most of the account, rank in line, queue, pool, limit, room (0: none)
-- returns 'in' and who else may enter now; or 'wait', or 'full' for its account, how many are ahead and who may enter instead
function op.enter()
  local account, most, queue, pool = ARGV[5], tonumber(ARGV[7]), ARGV[9], ARGV[10]
  local limit, room = tonumber(ARGV[11]), tonumber(ARGV[12])
  if redis.call('HEXISTS', admitted, id) == 1 then
    drop(id)
    return { 'in' }
  end
  local free = freeOf(pool, limit, room)
  redis.call('ZADD', line, 'NX', ARGV[8], id)
  add(id, ARGV[4], account, ARGV[3], ARGV[6], most)
  if free <= 0 then return { 'wait', ahead(id) } end
  if isFull(account, most) then return { 'full', ahead(id), choose(queue, 1)[1] } end
  if waitingIn(queue) > free then
    local chosen, isChosen = choose(queue, free), false
    for _, one in ipairs(chosen) do isChosen = isChosen or one == id end
    if not isChosen then return { 'wait', ahead(id), chosen[1] } end
  end
  charge(id)
  redis.call('ZREM', line, id)
  drop(id)
  redis.call('HSET', admitted, id, pool)
  redis.call('HINCRBY', counts, pool, 1)
  if most > 0 then hold(id, account) end
  if limit > 0 and free > 1 then return { 'in', choose(queue, 1)[1] } end
  return { 'in' }
end

-- queue, pool, limit, room (0: none); returns the waiting runs that may enter
function op.admissible()
  local free = freeOf(ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]))
  return free > 0 and choose(ARGV[3], free) or {}
end

-- queues; returns who may enter each if a place became free
function op.leave()
  local next = {}
  if giveUp() then
    for i = 3, #ARGV do next[#next + 1] = choose(ARGV[i], 1)[1] end
  end
  tidy()
  return next
end

function op.position() return { ahead(id) } end

-- ids; returns those that wait by what this release has noted, but not by the sorted set that every release knows
function op.stray()
  local stray = {}
  for i = 3, #ARGV do
    if not redis.call('ZSCORE', line, ARGV[i]) then stray[#stray + 1] = ARGV[i] end
  end
  return stray
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

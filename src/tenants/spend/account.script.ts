/** A day is kept for a little more than thirteen months. */
export const KEPT_MS = 400 * 86_400_000;
/** Kinds and models that one day distinguishes; what comes after them counts as `other`. */
export const MAX_LINES = 200;

/**
 * Money is in whole nano-dollars: as text in arguments and replies, and compared as doubles, which are exact below 9 million
 * dollars.
 * KEYS: the day, the month, what is counted of the id, the reservations of the account.
 */
const LIBRARY = `
local day, month, counted, reserved = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local function number(value) return tonumber(value or '') or 0 end
local function text(value) return string.format('%.0f', value) end

-- kind and model, runs, input tokens, output tokens, nano-dollars, calls of unknown cost
local function add(line, ...)
  local label = cjson.encode(line)
  if redis.call('HEXISTS', day, 'line:' .. label) == 0 then
    if number(redis.call('HGET', day, 'lines')) >= ${MAX_LINES} then
      line = { line[1], 'other' }
      label = cjson.encode(line)
    end
    if redis.call('HSETNX', day, 'line:' .. label, '1') == 1 then redis.call('HINCRBY', day, 'lines', 1) end
  end
  for i, name in ipairs({ 'runs', 'input', 'output', 'nano', 'unknown' }) do
    local value = select(i, ...)
    if value ~= 0 then redis.call('HINCRBY', day, name .. ':' .. label, text(value)) end
    if value ~= 0 and name == 'nano' then
      redis.call('HINCRBY', day, 'nano', text(value))
      redis.call('HINCRBY', month, 'nano', text(value))
    end
    if value ~= 0 and name == 'unknown' then redis.call('HINCRBY', day, 'unknown', text(value)) end
  end
  redis.call('PEXPIRE', day, ${KEPT_MS})
  redis.call('PEXPIRE', month, ${KEPT_MS})
end

local function standing(outcome, except)
  local open = 0
  local all = redis.call('HGETALL', reserved)
  for i = 1, #all, 2 do
    if all[i] ~= except then open = open + number(all[i + 1]) end
  end
  return { outcome, redis.call('HGET', day, 'nano') or '0', redis.call('HGET', month, 'nano') or '0', text(open), redis.call('HGET', day, 'unknown') or '0' }
end
`;

/**
 * What a run has used in all, and what its calls under way cost at most. Absolute, so that it counts once however often it
 * is written, and by whichever worker.
 * ARGV: id, kind, model, input tokens, output tokens, nano-dollars, '1' if the cost is unknown, '1' for the end of the run,
 * for how many ms it may be written again, fence, reservation, what must stay free beside it, limits of the day and the month
 * or ''.
 */
export const BOOK = `${LIBRARY}
local id, fence, wanted = ARGV[1], number(ARGV[10]), number(ARGV[11])
if number(redis.call('HGET', counted, 'fence')) > fence and ARGV[8] ~= '1' then return standing('lost') end
-- The first write takes no memory, so the end of a run is booked where that is full.
if ARGV[8] == '1' then redis.call('HDEL', reserved, '') end
local function grown(name, value)
  local known = number(redis.call('HGET', counted, name))
  if value <= known then return 0 end
  redis.call('HSET', counted, name, text(value))
  return value - known
end
local runs = 0
if ARGV[8] == '1' then runs = grown('runs', 1) end
local unknown = 0
if ARGV[7] == '1' then unknown = grown('unknown', 1) end
local more = { runs, grown('input', number(ARGV[4])), grown('output', number(ARGV[5])), grown('nano', number(ARGV[6])), unknown }
if more[1] + more[2] + more[3] + more[4] + more[5] > 0 then add({ ARGV[2], ARGV[3] }, unpack(more)) end
if fence > 0 then redis.call('HSET', counted, 'fence', ARGV[10]) end
redis.call('PEXPIRE', counted, ARGV[9])
if wanted == 0 or redis.call('HEXISTS', counted, 'runs') == 1 then
  redis.call('HDEL', reserved, id)
  return standing('ok')
end
local others = standing('ok', id)
local function fits(spent, limit)
  if limit == '' then return true end
  local used = number(spent) + number(others[4])
  return used < number(limit) and used + wanted + number(ARGV[12]) <= number(limit)
end
if not fits(others[2], ARGV[13]) then return standing('day') end
if not fits(others[3], ARGV[14]) then return standing('month') end
redis.call('HSET', reserved, id, ARGV[11])
redis.call('PEXPIRE', reserved, ${KEPT_MS})
return standing('ok')
`;

/**
 * Calls that no run is billed for, once per id.
 * ARGV: for how many ms the id is known, then of each line: kind, model, calls, input tokens, output tokens, nano-dollars,
 * calls of unknown cost.
 */
export const COUNT = `${LIBRARY}
if redis.call('SET', counted, '1', 'NX', 'PX', ARGV[1]) then
  for i = 2, #ARGV, 7 do
    add({ ARGV[i], ARGV[i + 1] }, number(ARGV[i + 2]), number(ARGV[i + 3]), number(ARGV[i + 4]), number(ARGV[i + 5]), number(ARGV[i + 6]))
  end
end
return standing('ok')
`;

/** What is used and reserved. */
export const STANDING = `${LIBRARY}
return standing('ok')
`;

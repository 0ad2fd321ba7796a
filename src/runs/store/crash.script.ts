/** A run that was carried for the time of so many leases did not crash its worker at once. */
export const SURVIVED_LEASES = 2;

/**
 * What a record knows of the workers that were lost with its run: how many since its last progress (`crashes`), and of
 * those in a row how many carried no other suspect (`crashes_alone`); how many in all. Part of RUN_OPERATIONS.
 */
export const CRASH_OPERATIONS = `
local function count(field, from)
  redis.call('HSET', record, field, from + 1)
end

-- The worker that holds the run has disappeared, and another claims it for a lease of so many ms.
local function count_crash(lease)
  local before, lease_ms = tonumber(get('crashes')) or 0, tonumber(get('lease_ms')) or 0
  local claimed_ms = tonumber(get('claimed_ms')) or 0
  if claimed_ms > 0 and lease_ms - lease - claimed_ms >= ${SURVIVED_LEASES} * lease then before = 0 end
  count('crashes', before)
  count('crashes_in_all', tonumber(get('crashes_in_all')) or 0)
  count('takeovers', tonumber(get('takeovers')) or 0)
  if get('alone') ~= '1' then redis.call('HSET', record, 'crashes_alone', 0)
  else count('crashes_alone', before > 0 and tonumber(get('crashes_alone')) or 0) end
  redis.call('HSET', record, 'crashed_ms', math.max(lease_ms, claimed_ms), 'lost_fence', get('fence'))
end

-- Each claim begins an attempt unless it goes on with the one before.
local function count_attempt(lost, lease)
  if lost == 1 then count_crash(lease) end
  local pauses = get('released') == 'pauses' or get('released') == 'survived'
  if pauses and lost == 0 and get('started_ms') ~= '' then return 0 end
  redis.call('HINCRBY', record, 'attempts', 1)
  return 1
end

-- fence of a claim that was lost although its worker did not crash
function op.uncount_crash()
  if get('status') ~= 'running' or get('lost_fence') ~= ARGV[3] then return { 'no' } end
  for _, field in ipairs({ 'crashes', 'crashes_in_all', 'crashes_alone' }) do
    redis.call('HSET', record, field, math.max(0, (tonumber(get(field)) or 0) - 1))
  end
  redis.call('HSET', record, 'lost_fence', '')
  return { 'ok' }
end
`;

/**
 * The operations of RUN_OPERATIONS by which a run is suspended until decisions are made, and continues. Decisions stay in
 * fields named `decision:<key>`.
 */
export const SUSPENSION_OPERATIONS = `
local function decision(key)
  return redis.call('HGET', record, 'decision:' .. key)
end

-- The keys that are awaited, and those of them that are undecided.
local function awaited()
  local keys, open = {}, {}
  for _, key in ipairs(cjson.decode(get('awaited'))) do
    keys[key] = true
    if not decision(key) then open[#open + 1] = key end
  end
  return keys, open
end

-- Writes which decisions are left; continues the run if none is. Its time limit stands still meanwhile.
local function continue_unless(open)
  redis.call('HSET', record, 'undecided', #open > 0 and cjson.encode(open) or '')
  if #open > 0 then return end
  for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
  local waited = now - get('waiting_since_ms')
  if get('deadline_ms') ~= '' then redis.call('HINCRBY', record, 'deadline_ms', waited) end
  redis.call('HSET', record, 'expires_ms', '', 'lease_ms', now)
  expire_journal()
  move('queued')
end

-- fence or '' (no worker has run it yet), retention in ms, data of the last event if it is cancelled, awaited keys (JSON),
-- data of the event, field, value, ...
function op.await()
  local status = get('status')
  if status == '' then return { 'missing' } end
  if FINAL[status] then return { 'final' } end
  if ARGV[3] == '' then
    if status == 'running' or held() then return { 'held' } end
  elseif get('fence') ~= ARGV[3] then
    return { 'fenced' }
  end
  -- The same again, after a lost reply: it is suspended already, or has continued since.
  if status == 'requires_action' then return { 'ok' } end
  if status == 'queued' and get('awaited') ~= '' then return { 'queued' } end
  if unpurged() then return { 'deleted' } end
  set(8, #ARGV)
  if get('cancel') == '1' then
    redis.call('HSET', record, 'error_code', 'cancelled')
    finish('cancelled', 'error', ARGV[5], ARGV[4])
    return { 'cancelled' }
  end
  redis.call('HSET', record, 'awaited', ARGV[6], 'waiting_since_ms', now, 'worker', '', 'released', 'pauses')
  move('requires_action')
  emit('requires_action', 'requires_action', ARGV[7])
  expire_all(ARGV[4])
  local _, open = awaited()
  continue_unless(open)
  return { #open > 0 and 'ok' or 'queued' }
end

-- key, decision, ...: all of them or none. The first decision of a key stays.
function op.decide()
  local status = get('status')
  if status == '' or get('deleted') == '1' then return { 'missing' } end
  if FINAL[status] then return { 'final' } end
  if too_new() then return { 'too_new' } end
  if status ~= 'requires_action' then return { 'not_waiting' } end
  local keys = awaited()
  for i = 3, #ARGV, 2 do
    local known = decision(ARGV[i])
    if not known and not keys[ARGV[i]] then return { 'unknown', ARGV[i] } end
    if known and known ~= ARGV[i + 1] then return { 'conflict', ARGV[i] } end
  end
  for i = 3, #ARGV, 2 do redis.call('HSETNX', record, 'decision:' .. ARGV[i], ARGV[i + 1]) end
  local _, open = awaited()
  continue_unless(open)
  return { 'ok', #open }
end

-- data of the event, progress: why a run has not begun; written once, and only before it begins
function op.note_wait()
  if get('status') ~= 'queued' or get('waits_for') == ARGV[5] then return { 'no' } end
  redis.call('HSET', record, 'waited', '1', 'waits_for', ARGV[5], 'progress', ARGV[4])
  emit('queued', 'progress', ARGV[3])
  return { 'ok' }
end
`;

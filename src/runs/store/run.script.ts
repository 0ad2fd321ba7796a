import { APPEND_OPERATION } from './append.script';
import { RECORD_SCHEMA } from '../record/run-keys';
import { CRASH_OPERATIONS } from './crash.script';
import { SUSPENSION_OPERATIONS } from './suspension.script';

/**
 * Every change of a record is one operation of a script. Redis runs it whole or not at all, so the status in the hash and
 * the events in the log can never disagree, and there is exactly one final event.
 *
 * KEYS: the record (hash), its event log (stream), its output text (string), its journal (hash); all of one slot.
 * They expire together and are deleted together.
 * ARGV: the operation, the channel that announces new events, then the operation's own arguments.
 * Time is the server's, so that skewed clocks of workers never end a lease or a run.
 * @param operations in Lua, as fields of `op`.
 */
export function runScript(operations: string): string {
  return `${LIBRARY}${operations}\nreturn op[ARGV[1]]()\n`;
}

/** The functions that operations are made of. */
const LIBRARY = `
local record, log, text, journal, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local FINAL = { completed = true, incomplete = true, failed = true, cancelled = true }
local MOVES = {
  none = { queued = true },
  queued = { running = true, requires_action = true, cancelled = true, failed = true },
  running = { requires_action = true, completed = true, incomplete = true, failed = true, cancelled = true },
  requires_action = { queued = true, cancelled = true, failed = true },
}

local function get(field)
  return redis.call('HGET', record, field) or ''
end

-- Where memory is full, Redis still lets a script end whose first write takes none. For what frees memory, or stops a run.
local function without_memory() redis.call('HDEL', record, '') end

-- Written by a newer version of the service; only its workers can continue it.
local function too_new()
  local status = get('status')
  return (tonumber(get('schema')) or 1) > ${RECORD_SCHEMA} or not (FINAL[status] or MOVES[status])
end

local function set(first, last)
  for i = first, last, 2 do redis.call('HSET', record, ARGV[i], ARGV[i + 1]) end
end

local function emit(status, kind, data)
  local seq = redis.call('HINCRBY', record, 'seq', 1)
  redis.call('HSET', record, 'event_ms', now)
  redis.call('XADD', log, seq .. '-0', 't', kind, 's', status, 'd', data)
  redis.call('PUBLISH', channel, seq .. ' ' .. status .. ' ' .. kind .. ' ' .. data)
end

local function move(status)
  local from = get('status')
  if from == '' then from = 'none' end
  if not (MOVES[from] and MOVES[from][status]) then return false end
  redis.call('HSET', record, 'status', status)
  emit(status, 'status', cjson.encode({ mode = get('mode') }))
  return true
end

-- What a run that is removed at its end is counted and billed by.
local BILL = { 'account', 'engine', 'model', 'upstream_id', 'usage', 'cost' }

-- A tombstone is left, so that a late request creates no record again. At the end of a run it has what is to be settled.
local function forget(unsettled)
  local rest = {}
  if unsettled then
    for _, field in ipairs(BILL) do rest[field] = get(field) end
  end
  redis.call('DEL', unpack(KEYS))
  redis.call('HSET', record, 'deleted', '1')
  for field, value in pairs(rest) do
    if value ~= '' then redis.call('HSET', record, field, value) end
  end
  redis.call('PEXPIRE', record, 3600000)
end

-- A process of schema 1 expires and deletes three keys only, so the journal always has an expiry of its own.
local function expire_journal()
  local left = (tonumber(get('deadline_ms')) or now) - now
  redis.call('PEXPIRE', journal, math.max(0, left) + (tonumber(get('retention_ms')) or 0))
end

-- For so many ms, or for as long as the record says.
local function expire_all(retention)
  local ms = tonumber(get('keep_ms')) or tonumber(retention)
  redis.call('HSET', record, 'expires_ms', now + ms)
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ms) end
end

-- It is to be removed, but not before its attachments are.
local function unpurged()
  return get('deleted') == '1' and get('purged') ~= '1'
end

local function finish(status, kind, data, retention)
  if not move(status) then return false end
  redis.call('HSET', record, 'completed_ms', now, 'worker', '')
  emit(status, kind, data)
  if get('deleted') == '1' then
    forget(true)
  else
    expire_all(retention)
  end
  return true
end

-- by a worker whose lease has not run out
local function held()
  return get('worker') ~= '' and (tonumber(get('lease_ms')) or 0) > now
end

-- No worker runs what is queued or suspended, whatever fence it had.
local function fenced(fence)
  local status = get('status')
  return status == 'queued' or status == 'requires_action' or get('fence') ~= fence
end

local op = {}
`;

/** The operations on records of every kind. */
export const RUN_OPERATIONS = `${CRASH_OPERATIONS}
-- field, value, ...
function op.create()
  if redis.call('EXISTS', record) == 1 then return { 'exists' } end
  set(3, #ARGV)
  redis.call('HSETNX', record, 'schema', 1)
  redis.call('HSET', record, 'created_ms', now, 'fence', 0, 'crashes', 0, 'worker', '')
  move('queued')
  return { 'ok', now }
end

-- hash of one more token that opens this record; the oldest of more than a hundred goes
function op.add_token()
  if get('status') == '' then return { 'missing' } end
  local tokens = {}
  for token in string.gmatch(get('tokens'), '[^,]+') do tokens[#tokens + 1] = token end
  tokens[#tokens + 1] = ARGV[3]
  if #tokens > 100 then table.remove(tokens, 1) end
  redis.call('HSET', record, 'tokens', table.concat(tokens, ','))
  return { 'ok' }
end

-- worker, lease in ms, time limit of the run in ms
function op.claim()
  local status = get('status')
  if status == '' then return { 'missing' } end
  if FINAL[status] then return { 'final' } end
  if too_new() then return { 'too_new' } end
  if status == 'requires_action' then return { 'waiting' } end
  if held() then return { 'held', get('lease_ms') - now } end
  local lost = get('worker') ~= '' and 1 or 0
  local begins = count_attempt(lost, ARGV[4])
  redis.call('HINCRBY', record, 'fence', 1)
  redis.call('HSET', record, 'worker', ARGV[3], 'lease_ms', now + ARGV[4], 'claimed_ms', now, 'alone', '')
  -- A suspended run was begun before.
  if get('started_ms') == '' then redis.call('HSET', record, 'started_ms', now, 'deadline_ms', now + ARGV[5]) end
  if status == 'queued' then move('running') end
  return { 'claimed', now, redis.call('HGETALL', record), redis.call('GET', text) or '', lost, begins }
end

-- fence, lease in ms
function op.heartbeat()
  if fenced(ARGV[3]) then return { 'fenced' } end
  redis.call('HSET', record, 'lease_ms', now + ARGV[4])
  return { 'ok', get('cancel'), (tonumber(get('followed_ms')) or 0) - now, get('crashes') }
end

-- fence, in how many ms a worker is to continue it, whether the attempt 'ends', 'pauses', or 'survived': it pauses without a crash
function op.release()
  if fenced(ARGV[3]) then return { 'fenced' } end
  if ARGV[5] == 'survived' then redis.call('HSET', record, 'crashes', 0) end
  redis.call('HSET', record, 'worker', '', 'lease_ms', now + ARGV[4], 'released', ARGV[5])
  return { 'ok' }
end

-- for how many ms its events surely have a reader
function op.follow()
  local status = get('status')
  if status == '' then return { 'missing' } end
  if FINAL[status] then return { 'final' } end
  redis.call('HSET', record, 'followed_ms', now + ARGV[3])
  return { held() and 'held' or 'waiting', get('tool') }
end

${APPEND_OPERATION}
-- fence or '' (no worker runs it), status, retention in ms, kind and data of the last event, field, value, ...
function op.finish()
  local status = get('status')
  if status == '' then return { 'missing' } end
  if FINAL[status] then return { 'final' } end
  if ARGV[3] == '' then
    if held() then return { 'held' } end
  elseif fenced(ARGV[3]) then
    return { 'fenced' }
  end
  if unpurged() then return { 'deleted' } end
  if get('cancel') == '1' then without_memory() end
  set(8, #ARGV)
  finish(ARGV[4], ARGV[6], ARGV[7], ARGV[5])
  return { 'ok' }
end

-- Its attachments are removed.
function op.purged()
  if get('status') ~= '' then redis.call('HSET', record, 'purged', '1') end
  return { 'ok' }
end

-- of a run that has ended, or has been removed
function op.settled()
  without_memory()
  if FINAL[get('status')] then redis.call('HSET', record, 'settled', '1') end
  if get('deleted') == '1' and get('status') == '' then redis.call('HDEL', record, unpack(BILL)) end
  return { 'ok' }
end

-- retention in ms, data of the last event, '1' to remove the record as well
function op.cancel()
  local status = get('status')
  if status == '' or get('deleted') == '1' then return { 'missing' } end
  without_memory()
  local remove = ARGV[5] == '1'
  if FINAL[status] then
    if remove then forget(get('settled') ~= '1') end
    return { 'final' }
  end
  redis.call('HSET', record, 'cancel', '1', 'deleted', remove and '1' or '0')
  if status == 'running' then return { held() and 'requested' or 'unheld' } end
  -- A status of a newer version is ended by that version's workers; without one that holds it, it can still be removed.
  if not MOVES[status] then
    if held() then return { 'requested' } end
    if not remove then return { 'unheld' } end
    forget()
    return { 'final' }
  end
  redis.call('HSET', record, 'error_code', 'cancelled')
  finish('cancelled', 'error', ARGV[4], ARGV[3])
  return { 'cancelled' }
end

${SUSPENSION_OPERATIONS}
`;

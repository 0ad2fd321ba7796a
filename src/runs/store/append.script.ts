/** Fields and values of one journal. A deep run takes about 200 kB. */
export const MAX_JOURNAL_BYTES = 16_000_000;

/** The operation by which a run adds to its text, event log and journal: one of RUN_OPERATIONS. */
export const APPEND_OPERATION = `
-- Bytes that an event takes in the log beside its data, about.
local EVENT_BYTES = 100
-- The log may take this many times the limit of the text, so that a text in small pieces fits; progress may take it once.
local LOG_FACTOR = 32
local LEAST_LIMIT = 100000
local JOURNAL_LIMIT = ${MAX_JOURNAL_BYTES}
-- Progress beyond the limit is thinned to one event in so many ms.
local THINNED_MS = 10000
local PROGRESS = { progress = true, tool_progress = true }

-- kind and data of each event of ARGV[first..last], without the progress that exceeds the log; nil if the log is full
local function fitting(first, last, limit)
  local events = {}
  limit = math.max(limit, LEAST_LIMIT)
  local total, progress = tonumber(get('log_bytes')) or 0, tonumber(get('progress_bytes')) or 0
  for i = first, last, 2 do
    local kind, data = ARGV[i], ARGV[i + 1]
    local bytes = #data + EVENT_BYTES
    local fits = true
    if PROGRESS[kind] then
      fits = progress + bytes <= limit or now - (tonumber(get('progress_ms')) or 0) >= THINNED_MS
      if fits then
        progress = progress + bytes
        redis.call('HSET', record, 'progress_bytes', progress, 'progress_ms', now)
      end
    end
    if fits then
      events[#events + 1] = { kind, data }
      total = total + bytes
    end
  end
  if total > LOG_FACTOR * limit then return nil end
  redis.call('HSET', record, 'log_bytes', total)
  return events
end

-- Bytes of the journal with the entries of ARGV[first..last]
local function journal_bytes(first, last)
  local bytes = tonumber(get('journal_bytes')) or 0
  for i = first, last, 2 do
    local old = redis.call('HSTRLEN', journal, ARGV[i])
    bytes = bytes + #ARGV[i + 1] + (old > 0 and -old or #ARGV[i])
  end
  return bytes
end

local function write_entries(first, last, bytes, retention)
  if first > last then return end
  for i = first, last, 2 do redis.call('HSET', journal, ARGV[i], ARGV[i + 1]) end
  redis.call('HSET', record, 'journal_bytes', bytes, 'retention_ms', retention)
  expire_journal()
end

-- fence, expected seq, byte limit, retention in ms, new text, number of events, kind, data, ..., number of entries of the
-- journal, field, value, ..., field, value, ...
function op.append()
  if fenced(ARGV[3]) then return { 'fenced' } end
  if get('status') ~= 'running' then return { 'final' } end
  local limit, added = tonumber(ARGV[5]), ARGV[7]
  local seq, expected = tonumber(get('seq')), tonumber(ARGV[4])
  -- The same write again, after a lost reply: it is already applied. One without events changes nothing when it is repeated.
  if seq ~= expected then return { 'ok', seq } end
  local entries_at = 9 + ARGV[8] * 2
  local fields_at = entries_at + 1 + ARGV[entries_at] * 2
  local bytes = journal_bytes(entries_at + 1, fields_at - 1)
  if bytes > JOURNAL_LIMIT then return { 'journal_too_large' } end
  if redis.call('STRLEN', text) + #added > limit then return { 'too_large' } end
  local events = fitting(9, entries_at - 1, limit)
  if not events then return { 'too_large' } end
  if #added > 0 then redis.call('APPEND', text, added) end
  for _, event in ipairs(events) do emit('running', event[1], event[2]) end
  write_entries(entries_at + 1, fields_at - 1, bytes, ARGV[6])
  set(fields_at, #ARGV)
  return { 'ok', seq + #events }
end
`;

/** The operation by which a run adds to its text and event log: one of RUN_OPERATIONS. */
export const APPEND_OPERATION = `
-- Bytes that an event takes in the log beside its data, about.
local EVENT_BYTES = 100
-- The log may take this many times the limit of the text, so that a text in small pieces fits; progress may take it once.
local LOG_FACTOR = 32
local LEAST_LIMIT = 100000
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

-- fence, expected seq, byte limit, new text, number of events, kind, data, ..., field, value, ...
function op.append()
  if fenced(ARGV[3]) then return { 'fenced' } end
  if get('status') ~= 'running' then return { 'final' } end
  local count, limit = tonumber(ARGV[7]), tonumber(ARGV[5])
  local seq, expected = tonumber(get('seq')), tonumber(ARGV[4])
  -- The same write again, after a lost reply: it is already applied.
  if seq ~= expected then return { 'ok', seq } end
  if redis.call('STRLEN', text) + #ARGV[6] > limit then return { 'too_large' } end
  local events = fitting(8, 7 + count * 2, limit)
  if not events then return { 'too_large' } end
  if #ARGV[6] > 0 then redis.call('APPEND', text, ARGV[6]) end
  for _, event in ipairs(events) do emit('running', event[1], event[2]) end
  set(8 + count * 2, #ARGV)
  return { 'ok', seq + #events }
end
`;

/**
 * Token buckets of one account, in one hash: `<name>` is what is left, `<name>:at` when that was. A bucket holds the
 * requests of a minute and is refilled continuously, by the clock of Redis. Fields that are no numbers count as full.
 */
const BUCKETS = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function left(name, most)
  local stored = redis.call('HMGET', KEYS[1], name, name .. ':at')
  local tokens, at = tonumber(stored[1] or ''), tonumber(stored[2] or '')
  if not tokens or not at or tokens ~= tokens then return most end
  return math.min(most, tokens + math.max(0, now - at) * most / 60000)
end

-- Full again after a minute, or after two if it is overdrawn.
local function keep(name, tokens)
  redis.call('HSET', KEYS[1], name, string.format('%.3f', tokens), name .. ':at', now)
  redis.call('PEXPIRE', KEYS[1], 120000)
end

local function wait(missing, most)
  return math.ceil(missing * 60000 / most)
end
`;

/**
 * KEYS: the buckets of the account.
 * ARGV: how many limits, the name and the capacity of each; then what each request takes of every limit.
 * Returns for each request the number of the limit that refuses it or 0, in how many ms it would pass, and what is left of
 * each limit. A refused request takes nothing.
 */
export const TAKE = `${BUCKETS}
-- Its first write takes no memory, so it is carried out where that is full: records are read and deleted there too.
redis.call('HDEL', KEYS[1], '')
local count = tonumber(ARGV[1])
local most, tokens = {}, {}
for i = 1, count do
  most[i] = tonumber(ARGV[2 * i + 1])
  tokens[i] = left(ARGV[2 * i], most[i])
end
local replies = {}
for first = 2 * count + 2, #ARGV, count do
  local refused, ms = 0, 0
  for i = 1, count do
    local missing = tonumber(ARGV[first + i - 1]) - tokens[i]
    if missing > 0 and wait(missing, most[i]) > ms then
      refused, ms = i, wait(missing, most[i])
    end
  end
  replies[#replies + 1] = refused
  replies[#replies + 1] = ms
  for i = 1, count do
    if refused == 0 then tokens[i] = tokens[i] - tonumber(ARGV[first + i - 1]) end
    replies[#replies + 1] = math.floor(tokens[i])
  end
end
for i = 1, count do keep(ARGV[2 * i], tokens[i]) end
return replies
`;

/** Bytes are counted in this many parts of the retention. */
export const PARTS = 24;

const STORED = `
-- by the part of the retention in which they were accepted; parts of another retention go
local function stored(width)
  local sum = 0
  local fields = redis.call('HGETALL', KEYS[3])
  for i = 1, #fields, 2 do
    local part = tonumber(fields[i]) or 0
    local last = math.floor(now / width)
    if part <= last - ${PARTS} or part > last then
      redis.call('HDEL', KEYS[3], fields[i])
    else
      sum = sum + (tonumber(fields[i + 1]) or 0)
    end
  end
  return sum
end

local function store(bytes, width)
  redis.call('HINCRBY', KEYS[3], string.format('%.0f', math.floor(now / width)), bytes)
  redis.call('PEXPIRE', KEYS[3], width * ${PARTS + 1})
end
`;

/**
 * KEYS: the buckets of the account, its unfinished runs of this kind (sorted set by when they were counted, see COUNT_RUN),
 * its bytes.
 * ARGV: id, the most unfinished runs, '1' if it cannot be refused, bytes, the most bytes, ms of a part, research
 * submissions that it takes (0 or 1), the most of those in a minute.
 * Returns '' or the limit that refuses it, and in how many ms to try again. Refused, it changes nothing; a run that is
 * counted already is not counted again.
 */
export const ADMIT = `${BUCKETS}${STORED}
local id, forced, bytes, width = ARGV[1], ARGV[3] == '1', tonumber(ARGV[4]), tonumber(ARGV[6])
if redis.call('ZSCORE', KEYS[2], id) then return { '', 0 } end
local research, most = tonumber(ARGV[7]), tonumber(ARGV[8])
local tokens = research > 0 and left('research_per_minute', most) or 0
if not forced then
  if redis.call('ZCOUNT', KEYS[2], 0, '+inf') >= tonumber(ARGV[2]) then return { 'unfinished', 5000 } end
  if stored(width) + bytes > tonumber(ARGV[5]) then return { 'stored_bytes', width - now % width } end
  if research > tokens then return { 'research_per_minute', wait(research - tokens, most) } end
end
redis.call('ZADD', KEYS[2], now, id)
if bytes > 0 then store(bytes, width) end
if research > 0 then keep('research_per_minute', math.max(-most, tokens - research)) end
return { '', 0 }
`;

/** KEYS as of `ADMIT`. ARGV: id, bytes of its result, ms of a part. Counts the result once, with the end of the run. */
export const RELEASE = `${BUCKETS}${STORED}
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 and tonumber(ARGV[2]) > 0 then store(ARGV[2], tonumber(ARGV[3])) end
return 1
`;

/**
 * KEYS: the open event streams of the account (sorted set by when their lease ends).
 * ARGV: id of the stream, the most, ms of the lease. Returns whether there was room.
 */
export const FOLLOW = `${BUCKETS}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

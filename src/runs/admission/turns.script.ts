/**
 * Whose turn it is: the part of the admission script that shares places between accounts by start-time fair queueing, which
 * is deficit round robin for runs that all cost one place.
 *
 * Of each queue there are two groups, of which the first, `:1`, has precedence. A group keeps `members` (sorted set of
 * account|rank|id, all of one score, so that they are in the order of their text), `turns` (sorted set: account with waiting
 * runs -> virtual time of its next place), `spent` (the same of accounts without waiting runs that are ahead of the clock),
 * `weights`, and `most` (how many admitted runs an account may have). Accounts contain no "|", ranks have one digit; "}" is
 * the character after "|". `holders` (hash: id -> account) and `held:<account>` (set) are the admitted runs of accounts.
 *
 * The sorted set `line` decides who waits: processes of an earlier release know nothing else. What it lacks is removed here
 * where it is met, and what is not known here is added by `enter`.
 */
export const TURNS_SCRIPT = `
local line, admitted, counts, waits, clocks, holders = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local STEP = 720720
local CHOICE = 50

local function keyOf(group, name) return KEYS[7] .. group .. ':' .. name end
local function heldBy(account) return keyOf('held', account) end

local function within(group, account, offset)
  local members = keyOf(group, 'members')
  return redis.call('ZRANGEBYLEX', members, '[' .. account .. '|', '(' .. account .. '}', 'LIMIT', offset, 1)[1]
end

local function clockOf(group) return tonumber(redis.call('HGET', clocks, group) or '0') end

local function stepOf(group, account)
  return math.floor(STEP / tonumber(redis.call('HGET', keyOf(group, 'weights'), account) or '1'))
end

local function find(id)
  local noted = redis.call('HGET', waits, id)
  if not noted then return nil end
  local group, account, rank = string.match(noted, '^([^|]*)|([^|]*)|(%d+)$')
  return { noted = noted, group = group, account = account, member = account .. '|' .. rank .. '|' .. id }
end

local function drop(id)
  local own = find(id)
  if not own then return end
  redis.call('HDEL', waits, id)
  redis.call('ZREM', keyOf(own.group, 'members'), own.member)
  if within(own.group, own.account, 0) then return end
  local turns = keyOf(own.group, 'turns')
  local turn = redis.call('ZSCORE', turns, own.account)
  redis.call('ZREM', turns, own.account)
  redis.call('HDEL', keyOf(own.group, 'weights'), own.account)
  redis.call('HDEL', keyOf(own.group, 'most'), own.account)
  if turn and tonumber(turn) > clockOf(own.group) then
    redis.call('ZADD', keyOf(own.group, 'spent'), turn, own.account)
  end
end

local function note(group, name, account, value, default)
  if tonumber(value) == default then redis.call('HDEL', keyOf(group, name), account)
  else redis.call('HSET', keyOf(group, name), account, value) end
end

local function hold(id, account)
  redis.call('HSET', holders, id, account)
  redis.call('SADD', heldBy(account), id)
end

local function release(id)
  local account = redis.call('HGET', holders, id)
  if not account then return end
  redis.call('HDEL', holders, id)
  redis.call('SREM', heldBy(account), id)
end

-- Whether the account has as many admitted runs as it may; 0: any number; below 0: none. Processes of an earlier release release none.
local function isFull(account, most)
  if most < 0 then return true end
  if most == 0 or redis.call('SCARD', heldBy(account)) < most then return false end
  for _, id in ipairs(redis.call('SMEMBERS', heldBy(account))) do
    if redis.call('HEXISTS', admitted, id) == 0 then release(id) end
  end
  return redis.call('SCARD', heldBy(account)) >= most
end

-- How many more runs of the account may be admitted.
local function roomOf(group, account)
  local most = redis.call('HGET', keyOf(group, 'most'), account)
  return most and tonumber(most) - redis.call('SCARD', heldBy(account)) or math.huge
end

-- An account that begins to wait begins at the clock: it has no credit for the time before.
local function add(id, group, account, rank, weight, most)
  local noted = group .. '|' .. account .. '|' .. rank
  local own = find(id)
  if own and own.noted ~= noted then drop(id) end
  if not within(group, account, 0) then
    local spent = keyOf(group, 'spent')
    local turn = math.max(clockOf(group), tonumber(redis.call('ZSCORE', spent, account) or '0'))
    redis.call('ZREM', spent, account)
    redis.call('ZADD', keyOf(group, 'turns'), turn, account)
    redis.call('HSETNX', clocks, group, 0)
  end
  redis.call('ZADD', keyOf(group, 'members'), 0, account .. '|' .. rank .. '|' .. id)
  redis.call('HSET', waits, id, noted)
  note(group, 'weights', account, weight, 1)
  note(group, 'most', account, most, 0)
end

-- The account of the run takes its turn.
local function charge(id)
  local own = find(id)
  if not own then return end
  local turns = keyOf(own.group, 'turns')
  local turn = tonumber(redis.call('ZSCORE', turns, own.account))
  local clock = math.max(clockOf(own.group), turn)
  redis.call('HSET', clocks, own.group, clock)
  redis.call('ZADD', turns, turn + stepOf(own.group, own.account), own.account)
  redis.call('ZREMRANGEBYSCORE', keyOf(own.group, 'spent'), '-inf', clock)
end

-- The accounts of the group whose turns come first, at most so many, without those that are full.
local function firstOf(group, most)
  local accounts, from = {}, 0
  repeat
    local flat = redis.call('ZRANGE', keyOf(group, 'turns'), from, from + CHOICE - 1, 'WITHSCORES')
    for i = 1, #flat, 2 do
      if #accounts == most then break end
      local name, room = flat[i], roomOf(group, flat[i])
      if room > 0 then
        local turn, step = tonumber(flat[i + 1]), stepOf(group, name)
        accounts[#accounts + 1] = { name = name, turn = turn, step = step, room = room, offset = 0 }
      end
    end
    from = from + CHOICE
  until #flat == 0 or #accounts == most
  return accounts
end

-- Adds the next runs of the group to those found. Returns whether it removed one that waits no more.
local function collect(group, most, found)
  local accounts, removed = firstOf(group, most - #found), false
  while #found < most do
    local best, at
    for i, one in ipairs(accounts) do
      if not best or one.turn < best.turn then best, at = one, i end
    end
    if not best then break end
    local member = best.offset < best.room and within(group, best.name, best.offset)
    local id = member and string.sub(member, #best.name + 4)
    if not member then
      table.remove(accounts, at)
    elseif redis.call('ZSCORE', line, id) then
      found[#found + 1] = id
      best.offset, best.turn = best.offset + 1, best.turn + best.step
    else
      drop(id)
      removed = true
    end
  end
  return removed
end

-- The waiting runs that get the next free places, at most as many; last those that only an earlier release knows.
local function choose(queue, free)
  local most = math.min(free, CHOICE)
  local found, removed
  repeat
    found, removed = {}, false
    for _, group in ipairs({ queue .. ':1', queue .. ':2' }) do
      if #found < most and collect(group, most, found) then removed = true end
    end
  until not removed
  if #found == most then return found end
  for _, id in ipairs(redis.call('ZRANGE', line, 0, most - 1)) do
    if #found < most and redis.call('HEXISTS', waits, id) == 0 then found[#found + 1] = id end
  end
  return found
end

local function waitingIn(queue)
  return redis.call('ZCARD', keyOf(queue .. ':1', 'members')) + redis.call('ZCARD', keyOf(queue .. ':2', 'members'))
end

-- How many of the same account are ahead; of a run that only an earlier release knows, how many of all.
local function ahead(id)
  local rank = redis.call('ZRANK', line, id)
  local own = rank and find(id)
  if not own then return rank end
  local from = '[' .. own.account .. '|'
  local count = redis.call('ZLEXCOUNT', keyOf(own.group, 'members'), from, '(' .. own.member)
  if string.sub(own.group, -1) == '1' then return count end
  local first = string.sub(own.group, 1, -2) .. '1'
  return count + redis.call('ZLEXCOUNT', keyOf(first, 'members'), from, '(' .. own.account .. '}')
end

-- Once nothing waits and nothing runs, no account is ahead of another.
local function tidy()
  if redis.call('ZCARD', line) > 0 or redis.call('HLEN', counts) > 0 then return end
  for _, group in ipairs(redis.call('HKEYS', clocks)) do
    for _, name in ipairs({ 'members', 'turns', 'spent', 'weights', 'most' }) do redis.call('DEL', keyOf(group, name)) end
  end
  for _, id in ipairs(redis.call('HKEYS', holders)) do release(id) end
  redis.call('DEL', waits, clocks)
end
`;

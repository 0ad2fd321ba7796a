import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { KEYS } from '../../runs/record/run-keys';
import { RunReader } from '../../runs/store/run-reader';
import { ScriptRunner } from '../../runs/store/script-runner';
import { RESEARCH_JOB } from '../research-queue';
import { type Entries, mayHoldPage } from './purged-entries';

/** Entries of one page of a journal. */
const PAGE = 200;
/** Of runs that continue each other. */
const MAX_GENERATIONS = 20;

/** Operations on the records of research, see `runScript`. The field `purges` has one address a line. */
const OPERATIONS = `
local MOST_BYTES = 100000

local function note(addresses)
  local lines = '\\n' .. get('purges') .. '\\n'
  for address in string.gmatch(addresses, '[^\\n]+') do
    if not string.find(lines, '\\n' .. address .. '\\n', 1, true) then lines = lines .. address .. '\\n' end
  end
  lines = string.match(lines, '^\\n*(.-)\\n*$')
  if #lines > MOST_BYTES then return false end
  redis.call('HSET', record, 'purges', lines)
  return true
end

-- addresses that are to be purged at the end of a run that is under way
function op.note_purge()
  local status = get('status')
  if status == '' or get('deleted') == '1' then return { 'missing' } end
  if FINAL[status] then return { 'ended' } end
  return { note(ARGV[3]) and 'noted' or 'full' }
end

-- addresses, number of entries of the journal, then of each entry, and of each field of the record after them: field, SHA-1
-- of the value that is replaced, new value. All of them or none.
function op.replace_kept()
  if get('deleted') == '1' or not FINAL[get('status')] or too_new() then return { 'missing' } end
  local fields_at = 5 + ARGV[4] * 3
  local bytes = tonumber(get('journal_bytes')) or 0
  for i = 5, #ARGV, 3 do
    local old = redis.call('HGET', i < fields_at and journal or record, ARGV[i])
    if not old or redis.sha1hex(old) ~= ARGV[i + 1] then return { 'changed' } end
    if i < fields_at then bytes = bytes + #ARGV[i + 2] - #old end
  end
  for i = 5, #ARGV, 3 do redis.call('HSET', i < fields_at and journal or record, ARGV[i], ARGV[i + 2]) end
  if fields_at > 5 then redis.call('HSET', record, 'journal_bytes', bytes) end
  note(ARGV[3])
  return { 'ok' }
end
`;

/** `other`: no run of the agent, or none that is there. */
export type Noted = 'noted' | 'ended' | 'full' | 'other';

/** What a run has kept, by field of its journal and of its record. */
export interface Kept {
  entries: Entries;
  citations: string;
}

/** Reads and replaces what runs of the agent have kept of pages. */
@Injectable()
export class PurgeStore {
  private readonly redis: RedisClient;
  private readonly script: ScriptRunner;

  constructor(
    { commands }: RedisConnections,
    private readonly reader: RunReader,
  ) {
    this.redis = commands;
    this.script = new ScriptRunner(commands, OPERATIONS, 'pages');
  }

  /** Writes for a run that has not ended that this page is to be purged at its end. */
  async note(id: string, address: string): Promise<Noted> {
    const { tool, engine } = await this.reader.readSome(id, 'tool', 'engine');
    if (tool !== RESEARCH_JOB || engine !== 'agent') return 'other';
    const [outcome] = await this.script.run('note_purge', id, address);
    return outcome === 'missing' ? 'other' : (outcome as Noted);
  }

  /** The pages that were to be purged of a run, or were purged of those that it has inherited from. */
  async noted(id: string): Promise<string[]> {
    const all = new Set<string>();
    let next = id;
    for (let at = 0; next && at < MAX_GENERATIONS; at += 1) {
      const { purges = '', continued_from = '' } =
        await this.reader.readSome<'purges'>(next, 'purges', 'continued_from');
      for (const one of purges.split('\n')) if (one) all.add(one);
      next = continued_from;
    }
    return [...all];
  }

  async read(id: string): Promise<Kept> {
    const entries = new Map<string, string>();
    let cursor = '0';
    do {
      const [next, flat] = await this.redis.hscan(
        KEYS.journal(id),
        cursor,
        'COUNT',
        PAGE,
      );
      for (let i = 0; i < flat.length; i += 2)
        if (mayHoldPage(flat[i])) entries.set(flat[i], flat[i + 1]);
      cursor = next;
    } while (cursor !== '0');
    const { citations = '' } = await this.reader.readSome(id, 'citations');
    return { entries, citations };
  }

  /**
   * Replaces what has changed between the two, unless it is no longer what was read.
   * `missing`: the run is gone, has not ended, or is of a newer version.
   */
  async replace(
    id: string,
    addresses: readonly string[],
    before: Kept,
    after: Kept,
  ): Promise<'ok' | 'changed' | 'missing'> {
    const changes = [...after.entries].flatMap(([field, json]) => {
      const old = before.entries.get(field)!;
      return old === json ? [] : [field, sha1(old), json];
    });
    const fields =
      before.citations === after.citations
        ? []
        : ['citations', sha1(before.citations), after.citations];
    const [outcome] = await this.script.run(
      'replace_kept',
      id,
      addresses.join('\n'),
      changes.length / 3,
      ...changes,
      ...fields,
    );
    return outcome as 'ok' | 'changed' | 'missing';
  }
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

import { api, read } from '../api/client';
import { shortText } from '../ui/short-text';

export type Kind = 'research' | 'chats';

/** A row, whatever it is of. */
export interface Entry {
  id: string;
  /** A few words; the page has the whole question. */
  title: string | null;
  status: string;
  spent: number | null;
  createdAt: string;
  route: 'read' | 'watch' | 'chat';
}

export interface Page {
  entries: Entry[];
  next: string | null;
}

/** Empty: of every value. */
export interface Filter {
  status: string;
  search: string;
  /** A number of days until now, or `days`: those from `from` to `to`. */
  age: string;
  /** A day here, `2027-01-31`. */
  from: string;
  to: string;
}

export const ALL: Filter = {
  status: '',
  search: '',
  age: '',
  from: '',
  to: '',
};

/** That a run of this kind may have. */
export const STATUSES: Record<Kind, readonly string[]> = {
  research: [
    'queued',
    'running',
    'requires_action',
    'completed',
    'incomplete',
    'failed',
    'cancelled',
  ],
  chats: [
    'queued',
    'running',
    'requires_action',
    'completed',
    'failed',
    'cancelled',
  ],
};

/** Of a status that the other kind alone has, all are shown. */
export function statusOf(kind: Kind, { status }: Filter): string {
  return STATUSES[kind].includes(status) ? status : '';
}

const LIMIT = 25;
const DAY_MS = 86_400_000;

export async function pageOf(
  kind: Kind,
  filter: Filter,
  cursor: string | null,
): Promise<Page> {
  const search = filter.search.trim();
  const status = statusOf(kind, filter);
  const query = {
    limit: LIMIT,
    ...(status !== '' && { status: status as 'queued' }),
    ...(search !== '' && { search }),
    ...timesOf(filter),
    ...(cursor !== null && { cursor }),
  };
  return kind === 'chats' ? chats(query) : research(query);
}

function timesOf({ age, from, to }: Filter): { from?: string; to?: string } {
  if (age === '') return {};
  if (age !== 'days')
    return { from: new Date(Date.now() - Number(age) * DAY_MS).toISOString() };
  return {
    ...(from !== '' && { from: startOf(from) }),
    ...(to !== '' && { to: startOf(to, 1) }),
  };
}

/** When this day, or the one so many days later, begins here. A day may have 23 hours. */
function startOf(day: string, later = 0): string {
  const time = new Date(`${day}T00:00`);
  time.setDate(time.getDate() + later);
  return time.toISOString();
}

interface Query {
  limit: number;
  status?: 'queued';
  search?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

async function research(query: Query): Promise<Page> {
  const params = { query: { ...query, tool_name: 'deep_research' } };
  const page = await read(api.GET('/api/v1/tool-invocations', { params }));
  const entries = page!.data.map((one): Entry => {
    const hasReport = ['completed', 'incomplete'].includes(one.status);
    return {
      id: one.invocation_id,
      title: one.title ?? one.question,
      status: one.status,
      spent: one.cost?.spent ?? null,
      createdAt: one.created_at,
      route: hasReport ? 'read' : 'watch',
    };
  });
  return { entries, next: page!.next_cursor };
}

async function chats(query: Query): Promise<Page> {
  const page = await read(api.GET('/api/v1/chat', { params: { query } }));
  const entries = page!.data.map((one): Entry => ({
    id: one.chat_id!,
    title: one.question === null ? null : shortText(one.question),
    status: one.status,
    spent: one.cost?.spent ?? null,
    createdAt: one.created_at,
    route: 'chat',
  }));
  return { entries, next: page!.next_cursor };
}

export async function removeEntry({ id, route }: Entry): Promise<void> {
  if (route === 'chat')
    await read(
      api.DELETE('/api/v1/chat/{chat_id}', {
        params: { path: { chat_id: id } },
      }),
    );
  else
    await read(
      api.DELETE('/api/v1/tool-invocations/{id}', { params: { path: { id } } }),
    );
}

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

export interface Filter {
  kind: Kind;
  status: string;
  search: string;
  /** Days; empty: all. */
  age: string;
}

const LIMIT = 25;
const DAY_MS = 86_400_000;

export async function pageOf(
  { kind, status, search, age }: Filter,
  cursor: string | null,
): Promise<Page> {
  const query = {
    limit: LIMIT,
    ...(status !== '' && { status: status as 'queued' }),
    ...(search !== '' && { search }),
    ...(age !== '' && {
      from: new Date(Date.now() - Number(age) * DAY_MS).toISOString(),
    }),
    ...(cursor !== null && { cursor }),
  };
  return kind === 'chats' ? chats(query) : research(query);
}

interface Query {
  limit: number;
  status?: 'queued';
  search?: string;
  from?: string;
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

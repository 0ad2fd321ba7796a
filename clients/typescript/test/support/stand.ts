import { startProcess } from './processes.ts';

export interface Stand {
  relay: string;
  model: string;
  control: string;
  close(): Promise<void>;
}

/** Starts a complete installation, built by `npm run build` at the root. */
export function startStand(env: Record<string, string> = {}): Promise<Stand> {
  return startProcess('dist/test/clients/stand.js', env);
}

export async function post(url: string, body?: unknown): Promise<void> {
  const init = { method: 'POST', body: JSON.stringify(body) };
  const reply = await fetch(url, init);
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
  await reply.body?.cancel();
}

export async function read<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

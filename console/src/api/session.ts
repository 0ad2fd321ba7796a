import { computed, signal } from '@preact/signals';

const STORED_AS = 'sonde.key';
const ADMIN_STORED_AS = 'sonde.admin';

/** What the base URL says about the service. */
export interface Service {
  api_key: boolean;
  links: Record<string, string>;
  topics: string[] | null;
}

/** Ends with a slash; also behind a proxy with a path prefix. */
export const BASE = new URL('.', document.baseURI).href;

/** Undefined until the service has answered. */
export const service = signal<Service>();

/** For the session of this tab alone: never in a URL, a cookie, or where it outlives the tab. */
export const apiKey = signal(sessionStorage.getItem(STORED_AS));

/** Whether the key may operate the service; only what is shown depends on it. */
export const isAdmin = signal(sessionStorage.getItem(ADMIN_STORED_AS) !== null);

/** The key was refused after it had been accepted. */
export const keyEnded = signal(false);

export const signedIn = computed(
  () => service.value?.api_key === false || apiKey.value !== null,
);

export function signIn(key: string, mayOperate: boolean): void {
  sessionStorage.setItem(STORED_AS, key);
  if (mayOperate) sessionStorage.setItem(ADMIN_STORED_AS, 'yes');
  isAdmin.value = mayOperate;
  keyEnded.value = false;
  apiKey.value = key;
}

export function signOut(): void {
  // Also what was said in chats.
  sessionStorage.clear();
  isAdmin.value = false;
  apiKey.value = null;
}

export function authorization(key = apiKey.value): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

export async function loadService(): Promise<void> {
  const reply = await fetch(BASE, { headers: { accept: 'application/json' } });
  if (!reply.ok) throw new Error(`The service answered ${reply.status}`);
  service.value = (await reply.json()) as Service;
}

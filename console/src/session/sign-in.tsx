import { useState } from 'preact/hooks';
import { request } from '../api/client';
import { ApiError } from '../api/problem';
import { authorization, keyEnded, signIn } from '../api/session';
import { words } from '../i18n/language';
import { ErrorNote } from '../ui/error-note';
import { useAction } from '../ui/use-call';

const text = words({
  en: {
    title: 'Sign in',
    about: 'This service needs an API key. Its operator issues them.',
    key: 'API key',
    kept: 'It is kept for this tab alone, and forgotten when the tab is closed.',
    submit: 'Sign in',
    ended: 'Your API key is no longer valid.',
  },
  ko: {
    title: '로그인',
    about: '이 서비스는 API 키가 필요합니다. 키는 운영자가 발급합니다.',
    key: 'API 키',
    kept: '키는 이 탭에만 보관되고, 탭을 닫으면 지워집니다.',
    submit: '로그인',
    ended: 'API 키가 더는 유효하지 않습니다.',
  },
});

export function SignIn() {
  const w = text();
  const [key, setKey] = useState('');
  const { run, busy, error } = useAction(async () => {
    const given = key.trim();
    const mayOperate = await isAllowed(given, 'admin/api/runs?limit=1');
    signIn(given, mayOperate);
  });
  return (
    <main class="narrow">
      <h1>{w.title}</h1>
      <p>{keyEnded.value ? w.ended : w.about}</p>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <label class="field">
          <span>{w.key}</span>
          <input
            type="password"
            name="key"
            autocomplete="current-password"
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <p class="muted tiny">{w.kept}</p>
        <ErrorNote error={error} />
        <button class="primary" disabled={busy}>
          {w.submit}
        </button>
      </form>
    </main>
  );
}

/**
 * Whether the key may read this.
 * @throws ApiError if it is not valid, or that cannot be known.
 */
async function isAllowed(key: string, path: string): Promise<boolean> {
  try {
    await request(path, { headers: authorization(key) });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false;
    throw error;
  }
}

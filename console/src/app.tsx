import type { ComponentType } from 'preact';
import { apiKey, isAdmin, service, signedIn, signOut } from './api/session';
import { language, LANGUAGES, setLanguage, words } from './i18n/language';
import { hrefOf, path } from './router';
import { SignIn } from './session/sign-in';
import { lazy } from './ui/lazy';
import { nextTheme, theme } from './ui/theme';
import { useTitle } from './ui/use-title';

const text = words({
  en: {
    skip: 'Skip to the content',
    menu: 'Main menu',
    ask: 'Ask',
    chat: 'Chat',
    history: 'History',
    operate: 'Operate',
    signIn: 'Sign in',
    signOut: 'Sign out',
    notFound: 'There is no such page.',
    wayOut: 'The address may be of an earlier version, or cut off.',
    themes: {
      system: 'Theme: system',
      light: 'Theme: light',
      dark: 'Theme: dark',
    },
    docs: 'API reference',
    sandbox:
      'The built-in sandbox answers: no model is called, and nothing is billed.',
  },
  ko: {
    skip: '본문으로 건너뛰기',
    menu: '주 메뉴',
    ask: '질문',
    chat: '대화',
    history: '기록',
    operate: '운영',
    signIn: '로그인',
    signOut: '로그아웃',
    notFound: '없는 페이지입니다.',
    wayOut: '주소가 잘렸거나 이전 버전의 주소일 수 있습니다.',
    themes: {
      system: '화면: 시스템',
      light: '화면: 밝게',
      dark: '화면: 어둡게',
    },
    docs: 'API 문서',
    sandbox:
      '내장 샌드박스가 답합니다. 모델을 부르지 않고 비용도 들지 않습니다.',
  },
});

type Screen = ComponentType<{ id?: string }>;

const SCREENS: Record<string, Screen> = {
  ask: lazy(async () => (await import('./ask/ask')).Ask),
  watch: lazy(async () => (await import('./watch/watch')).Watch),
  read: lazy(async () => (await import('./read/read')).Read),
  history: lazy(async () => (await import('./history/history')).History),
  shared: lazy(async () => (await import('./share/shared')).Shared),
  chat: lazy(async () => (await import('./chat/chat')).Chat),
  operate: lazy(async () => (await import('./operate/operate')).Operate),
};
const MENU = ['ask', 'chat', 'history', 'operate'] as const;
/** Runs are found by the history. */
const MENU_OF: Record<string, string> = { watch: 'history', read: 'history' };

/** The token in its address is enough: no key is asked for. */
const isShared = (name: string): boolean => name === 'shared';

export function App() {
  const w = text();
  const [name = 'ask', id] = path.value;
  const CurrentScreen = Object.hasOwn(SCREENS, name)
    ? SCREENS[name]
    : undefined;
  useTitle(titleOf(name));
  return (
    <>
      <a class="skip" href="#content" onClick={focusContent}>
        {w.skip}
      </a>
      <header class="top">
        <a class="brand" href={hrefOf()}>
          Sonde
        </a>
        {signedIn.value && (
          <nav aria-label={w.menu}>
            {MENU.filter(isOpen).map((entry) => (
              <a
                key={entry}
                href={hrefOf(entry)}
                aria-current={
                  (MENU_OF[name] ?? name) === entry ? 'page' : undefined
                }
              >
                {w[entry]}
              </a>
            ))}
          </nav>
        )}
        <span class="spacer" />
        <button type="button" class="quiet" onClick={nextTheme}>
          {w.themes[theme.value]}
        </button>
        <LanguageButton />
        {apiKey.value !== null && (
          <button type="button" class="quiet" onClick={signOut}>
            {w.signOut}
          </button>
        )}
      </header>
      <div id="content" tabIndex={-1}>
        {!signedIn.value && !isShared(name) ? (
          <SignIn />
        ) : CurrentScreen ? (
          <CurrentScreen key={`${name}/${id ?? ''}`} id={id} />
        ) : (
          <main class="narrow">
            <h1>{w.notFound}</h1>
            <p class="muted">{w.wayOut}</p>
            <p class="row">
              <a class="button primary" href={hrefOf('ask')}>
                {w.ask}
              </a>
              <a class="button" href={hrefOf('history')}>
                {w.history}
              </a>
            </p>
          </main>
        )}
      </div>
      <footer class="bottom muted tiny">
        {service.value?.topics && <span>{w.sandbox}</span>}
        {service.value?.links.docs && (
          <a href={service.value.links.docs}>{w.docs}</a>
        )}
      </footer>
    </>
  );
}

/** What only an operator may do is offered to operators alone. */
function isOpen(entry: (typeof MENU)[number]): boolean {
  return entry !== 'operate' || isAdmin.value;
}

/** Of screens that do not name what they show. */
function titleOf(name: string): string | undefined {
  const w = text();
  if (isShared(name)) return undefined;
  if (!signedIn.value) return w.signIn;
  if (name in MENU_OF) return undefined;
  return MENU.find((entry) => entry === name) ? w[name as 'ask'] : w.notFound;
}

function LanguageButton() {
  const other = LANGUAGES.find((one) => one !== language.value)!;
  return (
    <button
      type="button"
      class="quiet"
      lang={other}
      onClick={() => setLanguage(other)}
    >
      {other === 'ko' ? '한국어' : 'English'}
    </button>
  );
}

/** The fragment is the route; a link to an element would leave it. */
function focusContent(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

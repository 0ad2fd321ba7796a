import type { HtmlTag } from './html-tag';

const MAX_ALTERNATES = 50;
const MAX_SCRIPT_CHARS = 1_000_000;
/** Of a script that is no data, so much is looked at. */
const MAX_CODE_CHARS = 2_000;

/** What the pages of known gatekeepers are built from; none of it stands on the pages behind them. */
const CHALLENGE =
  /\b_cf_chl_opt\b|\/cdn-cgi\/challenge-platform\/h\/|^(challenge-form|challenge-running|challenge-error-text|anubis_challenge)$|\/\.within\.website\/x\/cmd\/anubis|\/_Incapsula_Resource\?|\/\.well-known\/(ddos-guard|sgcaptcha)\/|\btoken\.awswaf\.com\//;
const CAPTCHA =
  /(^|[\s/._-])(g-recaptcha|h-captcha|cf-turnstile|px-captcha|geetest_\w+|validatecaptcha|captcha-delivery\.com|arkoselabs\.com|funcaptcha)([\s/._-]|$)/i;
const CONSENT_BOX =
  /(^|[\s_-])(cookie[-_]?(banner|bar|box|consent|dialog|law|modal|notice|overlay|popup|wall)|consent[-_]?(banner|dialog|form|modal|overlay|page|popup|wall)|onetrust-(banner|consent)-sdk|CybotCookiebotDialog|didomi-(host|popup)|qc-cmp2-(container|ui)|sp_message_container|usercentrics-(root|cmp)|gdpr-\w+)/i;
const MISSING = /(^|\s)(error-?404|page-404|http-404|not-found-page)(\s|$)/i;
const MOUNT = /^(root|app|__next|__nuxt|app-root|svelte|___gatsby)$/;
/** Of these, the name says something of the whole page. */
const WHOLE = new Set(['html', 'body', 'main', 'article']);
const TYPED = new Set(['text', 'email', 'search', 'tel', 'url', 'password']);

/** What the markup of a page says of it, beside its text. */
export class PageSignals {
  challenge = false;
  captcha = false;
  missing = false;
  /** Fields that a person fills in. */
  fields = 0;
  scripts = 0;
  links = 0;
  /** Where an app puts its page. */
  hasMount = false;
  readonly chars = { consent: 0, noscript: 0, mount: 0 };
  /** JSON-LD, as it stands in the page. */
  readonly data: string[] = [];
  /** Addresses of the page in other languages, as they are written. */
  readonly alternates: string[] = [];
  /** The address of a `meta` refresh within ten seconds, as it is written. */
  refresh?: string;
  private dataChars = 0;
  private open?: { isData: boolean; code: string };

  tag(tag: HtmlTag, isInert: boolean): void {
    const names = `${tag.value('id')} ${tag.value('class')}`.trim();
    const source = tag.attribute('src') || tag.attribute('action');
    this.open = undefined;
    if (tag.name === 'script') this.beginScript(tag);
    if (tag.name === 'meta' && !isInert) this.refresh ??= refreshOf(tag);
    if (tag.name === 'link') this.link(tag);
    if (tag.name === 'a') this.links += 1;
    this.challenge ||=
      CHALLENGE.test(tag.value('id')) || CHALLENGE.test(source);
    // A script alone is no widget: many pages measure every visitor so.
    this.captcha ||=
      tag.name !== 'script' && (CAPTCHA.test(names) || CAPTCHA.test(source));
    if (WHOLE.has(tag.name)) this.missing ||= MISSING.test(names);
    this.hasMount ||= isMount(tag);
    const isField =
      tag.name === 'textarea' ||
      (tag.name === 'input' &&
        TYPED.has(tag.value('type') || 'text') &&
        !`${names} ${tag.value('name')}`.includes('captcha'));
    if (isField) this.fields += 1;
  }

  /** Text that is within a script. */
  script(text: string): void {
    const { open } = this;
    if (!open) return;
    if (open.isData) {
      this.dataChars += text.length;
      if (this.dataChars <= MAX_SCRIPT_CHARS) open.code += text;
    } else if (open.code.length < MAX_CODE_CHARS) {
      open.code += text.slice(0, MAX_CODE_CHARS);
      this.challenge ||= CHALLENGE.test(open.code);
    }
  }

  endScript(): void {
    const { open } = this;
    this.open = undefined;
    if (open?.isData && this.dataChars <= MAX_SCRIPT_CHARS)
      this.data.push(open.code);
  }

  private link(tag: HtmlTag): void {
    if (tag.value('rel') !== 'alternate' || !tag.value('hreflang')) return;
    const address = tag.attribute('href').trim();
    if (address !== '' && this.alternates.length < MAX_ALTERNATES)
      this.alternates.push(address);
  }

  private beginScript(tag: HtmlTag): void {
    const isData = tag.value('type') === 'application/ld+json';
    this.open = { isData, code: '' };
    if (!isData) this.scripts += 1;
  }
}

export function isConsentBox(tag: HtmlTag): boolean {
  return (
    !WHOLE.has(tag.name) &&
    (CONSENT_BOX.test(tag.attribute('id')) ||
      CONSENT_BOX.test(tag.attribute('class')) ||
      /\bconsent\b/i.test(tag.name === 'form' ? tag.attribute('action') : ''))
  );
}

export function isMount(tag: HtmlTag): boolean {
  return MOUNT.test(tag.value('id')) || tag.name === 'app-root';
}

function refreshOf(tag: HtmlTag): string | undefined {
  if (tag.value('http-equiv') !== 'refresh') return undefined;
  const [, url] =
    /^\s{0,20}(?:\d|10)(?:\.\d{0,9})?\s{0,20}[;,]\s{0,20}(?:url\s{0,20}=\s{0,20})?["']?([^"']+)/i.exec(
      tag.attribute('content'),
    ) ?? [];
  return url?.trim() || undefined;
}

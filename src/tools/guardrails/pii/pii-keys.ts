import { type Span, spansOf } from '../text-spans';

/** Tokens are recognised by their prefixes, so that no other text matches. Matched text is not scanned again. */
const TOKEN = new RegExp(
  String.raw`(?<![A-Za-z\d])(?:${[
    String.raw`sk-[\w-]{20,}`, // OpenAI, Anthropic, LiteLLM
    String.raw`gh[pousr]_[A-Za-z\d]{36,}`, // GitHub
    String.raw`github_pat_\w{22,}`,
    String.raw`A[KS]IA[A-Z\d]{16}(?![A-Za-z\d])`, // AWS
    String.raw`AIza[\w-]{35}(?![\w-])`, // Google
    String.raw`xox[abeoprs]-[A-Za-z\d-]{10,}`, // Slack
    String.raw`whsec_[A-Za-z\d+/]{20,}={0,2}`, // Standard Webhooks
    String.raw`(?<![-_])eyJ[\w-]{8,}(?:\.[\w-]+){2,4}`, // JSON Web Tokens
  ].join('|')})`,
  'g',
);
const BEGIN = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const BODY_AND_END =
  /(?:[\w+/=:;,.()\\\s]|-(?!----)){0,20000}-----END [A-Z\d ]{0,60}-----/y;
/** The body of a key that was cut off. */
const BODY = /(?:(?:\s|\\[nr])+[A-Za-z\d+/=]{32,})+(?:\s+[A-Za-z\d+/=]+$)?/y;

/** Keys and tokens of common services, and JSON Web Tokens. */
export function findTokens(text: string): Span[] {
  return spansOf(TOKEN, text).filter(({ start, end }) => {
    const token = text.slice(start, end);
    return !token.startsWith('sk-') || isRandom(token.slice(3));
  });
}

/** Private keys in PEM. */
export function findPrivateKeys(text: string): Span[] {
  return spansOf(BEGIN, text).flatMap(({ start, end }) => {
    for (const rest of [BODY_AND_END, BODY]) {
      rest.lastIndex = end;
      if (rest.test(text)) return [{ start, end: rest.lastIndex }];
    }
    return [];
  });
}

/** Excludes words of an address: `sk-hynix-to-build-a-new-factory`. */
function isRandom(secret: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/];
  if (kinds.every((kind) => kind.test(secret))) return true;
  return /\d/.test(secret) && /[a-z\d]{24}/.test(secret);
}

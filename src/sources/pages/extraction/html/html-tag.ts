/** Attributes that decide whether an element is shown, and what it declares; all others are only measured. */
const KEPT = new Set([
  'hidden',
  'style',
  'aria-hidden',
  'role',
  'lang',
  'xml:lang',
  'http-equiv',
  'content',
  'property',
  'type',
  'id',
  'name',
  'class',
  'src',
  'action',
  'rel',
  'href',
  'hreflang',
]);
const MAX_KEPT_CHARS = 2_000;

const HIDDEN_TAGS = new Set(
  'script style noscript template svg iframe object textarea select canvas audio video head'.split(
    ' ',
  ),
);
const ASIDE_TAGS = new Set(['nav', 'footer', 'aside', 'form']);
const ASIDE_ROLES = new Set(['navigation', 'banner', 'search', 'dialog']);
const HIDING_STYLE =
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse))/i;

/** Whether an element is never shown, whatever the rest of the page is. */
export function isHiding(
  tag: string,
  attribute: (name: string) => string | null | undefined,
): boolean {
  return (
    HIDDEN_TAGS.has(tag) ||
    typeof attribute('hidden') === 'string' ||
    attribute('aria-hidden')?.trim().toLowerCase() === 'true' ||
    HIDING_STYLE.test(attribute('style') ?? '')
  );
}

/** One start tag, read attribute by attribute. */
export class HtmlTag {
  attributes = 0;
  longestValue = 0;
  private readonly kept = new Map<string, string>();
  private current?: string;
  private length = 0;

  constructor(readonly name: string) {}

  begin(name: string): void {
    const key = name.toLowerCase();
    this.attributes += 1;
    this.length = 0;
    // Of two attributes of one name, the first counts.
    this.current = KEPT.has(key) && !this.kept.has(key) ? key : undefined;
    if (this.current) this.kept.set(this.current, '');
  }

  append(source: string, start: number, end: number): void {
    this.measure(end - start);
    if (this.current) this.keep(source.slice(start, end));
  }

  appendText(text: string): void {
    this.measure(text.length);
    if (this.current) this.keep(text);
  }

  get isHidden(): boolean {
    return isHiding(this.name, (name) => this.kept.get(name));
  }

  /** Beside what the page is about. */
  get isAside(): boolean {
    return ASIDE_TAGS.has(this.name) || ASIDE_ROLES.has(this.value('role'));
  }

  /** What the fragment of an address names it by. */
  get anchor(): string | undefined {
    const { kept } = this;
    return (
      kept.get('id') || (this.name === 'a' && kept.get('name')) || undefined
    );
  }

  get declaredLanguage(): string | undefined {
    if (this.name === 'html')
      return this.kept.get('lang') || this.kept.get('xml:lang') || undefined;
    return this.value('http-equiv') === 'content-language'
      ? this.kept.get('content')
      : undefined;
  }

  get declaredTitle(): string | undefined {
    return this.value('property') === 'og:title'
      ? this.kept.get('content')
      : undefined;
  }

  /** As it is written; empty without one. */
  attribute(name: string): string {
    return this.kept.get(name) ?? '';
  }

  value(name: string): string {
    return this.attribute(name).trim().toLowerCase();
  }

  private measure(chars: number): void {
    this.length += chars;
    this.longestValue = Math.max(this.longestValue, this.length);
  }

  private keep(text: string): void {
    const value = this.kept.get(this.current!)!;
    if (value.length < MAX_KEPT_CHARS)
      this.kept.set(this.current!, value + text.slice(0, MAX_KEPT_CHARS));
  }
}

/** The values of `search_lang`; any other one is refused with 422. */
const KNOWN = new Set(
  `ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb pl
  pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi`.split(/\s+/),
);
const RENAMED: Record<string, string> = {
  ja: 'jp',
  zh: 'zh-hans',
  'zh-cn': 'zh-hans',
  'zh-tw': 'zh-hant',
  'zh-hk': 'zh-hant',
  pt: 'pt-pt',
  no: 'nb',
};

/** The language of a BCP 47 tag in the names that Brave has; undefined if it has none. */
export function braveLanguage(tag: string | undefined): string | undefined {
  const whole = (tag ?? '').toLowerCase();
  const [primary] = whole.split('-');
  return [whole, primary]
    .map((name) => RENAMED[name] ?? name)
    .find((name) => KNOWN.has(name));
}

/** Parameters that only say where a visitor came from. */
const TRACKING =
  /^(utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|srsltid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|li_fat_id|vero_id|oly_anon_id|oly_enc_id)$/i;

/**
 * Equal for two spellings of one page's address: fragments, tracking parameters and the order of parameters are ignored.
 * A fragment that begins with `!` names a page. For comparison alone: what is fetched is the original.
 */
export function urlKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const key = new URL(url);
  if (!/^https?:$/.test(key.protocol)) return url;
  if (!key.hash.startsWith('#!')) key.hash = '';
  const kept = [...key.searchParams].filter(([name]) => !TRACKING.test(name));
  const query = new URLSearchParams(kept);
  query.sort();
  key.search = query.toString();
  return key.href;
}

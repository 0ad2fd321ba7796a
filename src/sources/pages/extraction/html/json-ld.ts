const MAX_ITEMS = 200;
const MAX_DEPTH = 4;
const ARTICLE = /(Article|Posting|Report|Recipe|WebPage)$/;

export interface PageData {
  /** The text of the article that the page is about. */
  articleBody?: string;
  /** False if the page says that its article is to be paid for. */
  isFree: boolean;
}

type Item = Record<string, unknown>;

/** What the data in a page says of the page itself: of one article alone, or of that whose address is the page's. */
export function pageData(scripts: readonly string[], url: string): PageData {
  const items = scripts.flatMap((script) => itemsOf(parsed(script), 0));
  const articles = items.slice(0, MAX_ITEMS).filter(isArticle);
  const own =
    articles.find((item) => isOf(item, url)) ??
    (articles.length === 1 && addressesOf(articles[0]).length === 0
      ? articles[0]
      : undefined);
  const body = own?.articleBody;
  return {
    ...(typeof body === 'string' && { articleBody: body }),
    isFree: !/^(https?:\/\/schema\.org\/)?false$/i.test(
      String(own?.isAccessibleForFree),
    ),
  };
}

function parsed(script: string): unknown {
  try {
    return JSON.parse(script);
  } catch {
    return undefined;
  }
}

function itemsOf(value: unknown, depth: number): Item[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH)
    return [];
  if (Array.isArray(value))
    return value
      .slice(0, MAX_ITEMS)
      .flatMap((one: unknown) => itemsOf(one, depth + 1));
  const item = value as Item;
  return [
    item,
    ...itemsOf(item['@graph'], depth + 1),
    ...itemsOf(item.mainEntity, depth + 1),
  ];
}

function isArticle(item: Item): boolean {
  const isNamed = [item['@type']]
    .flat()
    .some((type) => typeof type === 'string' && ARTICLE.test(type));
  return isNamed && ('articleBody' in item || 'isAccessibleForFree' in item);
}

function isOf(item: Item, url: string): boolean {
  const path = pathOf(url);
  return addressesOf(item).some((address) => pathOf(address, url) === path);
}

function addressesOf(item: Item): string[] {
  const main = item.mainEntityOfPage;
  const named = [item.url, item['@id'], main, (main as Item | null)?.['@id']];
  return named.filter((address) => typeof address === 'string');
}

/** Hosts and queries of one article differ too often. */
function pathOf(address: string, base?: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  return new URL(address, base).pathname.replace(/\/$/, '');
}

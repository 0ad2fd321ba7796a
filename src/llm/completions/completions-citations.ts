import { isObject } from '../../platform/message/call-arguments';
import {
  type Citation,
  codePoints,
  type Source,
} from '../../platform/message/citation';
import { citationsIn } from '../responses/responses-citations';
import { pageUrl } from '../upstream/cited-url';

/**
 * The sources of a Chat Completions reply, in whichever of these forms its provider sends. Later frames repeat earlier
 * ones.
 */
export interface Grounding {
  /**
   * Perplexity: `[1]` in the text refers to the first of `citations`, which are addresses; `search_results` describe the
   * same pages.
   */
  citations?: unknown;
  search_results?: unknown;
  /** OpenAI's search models, and LiteLLM: `{type: 'url_citation', url_citation: {…}}`. */
  annotations?: unknown;
  /** Azure: `[doc1]` in the text refers to the first of `context.citations`. */
  context?: unknown;
  /** Gemini: segments of the text, in bytes of UTF-8, and the pages that support each of them. */
  groundingMetadata?: unknown;
}

type Fields = Record<string, unknown>;
const MAX_CITATIONS = 10_000;

/** Adds the sources of one frame, or of one whole reply. */
export function addGrounding(sum: Grounding, frame: object): Grounding {
  const choice = objectsIn((frame as Fields).choices)[0] ?? {};
  const sections = [frame, choice, choice.message, choice.delta]
    .filter(isObject)
    .flatMap((place) => [place, place.provider_specific_fields])
    .filter(isObject);
  const lastOf = (...names: string[]): unknown =>
    sections
      .flatMap((place) => names.map((name) => place[name]))
      .findLast(isGiven);
  const grounding = lastOf(
    'vertex_ai_grounding_metadata',
    'grounding_metadata',
    'groundingMetadata',
  );
  const annotations = sections.flatMap((place) => objectsIn(place.annotations));
  return {
    citations: lastOf('citations') ?? sum.citations,
    search_results: lastOf('search_results') ?? sum.search_results,
    context: lastOf('context') ?? sum.context,
    groundingMetadata: grounding ?? sum.groundingMetadata,
    annotations:
      annotations.length > 0
        ? distinct([...objectsIn(sum.annotations), ...annotations])
        : sum.annotations,
  };
}

/** The citations of a text, and all pages that were found, cited or not. */
export function readGrounding(
  grounding: Grounding,
  text: string,
): { citations: Citation[]; sources: Source[]; queries: string[] } {
  const gemini = [grounding.groundingMetadata].flat().filter(isObject);
  const results = objectsIn(grounding.search_results);
  const listed = listIn(grounding.citations)
    .map((entry) => (typeof entry === 'string' ? { url: entry } : entry))
    .filter(isObject);
  const pages = (listed.length > 0 ? listed : results).map((page) => ({
    url: urlOf(page),
    title:
      titleOf(page) ||
      titleOf(results.find(({ url }) => url === page.url) ?? {}),
  }));
  const context = isObject(grounding.context) ? grounding.context : {};
  const documents = objectsIn(context.citations).map(sourceOf);
  const annotations = objectsIn(grounding.annotations).map((one) =>
    isObject(one.url_citation)
      ? { ...one.url_citation, type: 'url_citation' }
      : one,
  );
  const supported = gemini.flatMap((meta) => supportsIn(meta, text));
  const citations = [
    // Annotations that a gateway derives from segments count bytes as if they were characters.
    ...(supported.length > 0 ? [] : citationsIn({ annotations }, text, 0)),
    ...supported,
    ...marksIn(text, /\[(\d{1,4})\]/g, pages),
    ...marksIn(text, /\[doc(\d{1,4})\]/g, documents),
  ];
  return {
    citations: citations
      .sort((a, b) => a.start_index - b.start_index)
      .slice(0, MAX_CITATIONS),
    sources: [
      ...pages,
      ...results.map(sourceOf),
      ...documents,
      ...gemini.flatMap(chunksOf),
    ].filter(({ url }) => url !== ''),
    queries: gemini.flatMap(({ webSearchQueries }) =>
      listIn(webSearchQueries).filter((query) => typeof query === 'string'),
    ),
  };
}

/** A mark without a page is ordinary text. */
function marksIn(
  text: string,
  mark: RegExp,
  pages: readonly Source[],
): Citation[] {
  let read = 0;
  let points = 0;
  return [...text.matchAll(mark)].flatMap(({ 0: found, 1: number, index }) => {
    points += codePoints(text.slice(read, index));
    read = index;
    const page = pages[Number(number) - 1];
    if (!page?.url) return [];
    return {
      ...page,
      start_index: points,
      end_index: points + found.length,
    };
  });
}

function supportsIn(meta: Fields, text: string): Citation[] {
  const pages = chunksOf(meta);
  const supports = objectsIn(meta.groundingSupports);
  if (supports.length === 0) return [];
  const bytes = Buffer.from(text);
  const points = pointsBefore(bytes);
  return supports.flatMap((support) => {
    const place = segmentIn(bytes, points, support.segment);
    if (!place) return [];
    return listIn(support.groundingChunkIndices).flatMap((index) => {
      const page = pages[Number(index)];
      return page?.url ? { ...page, ...place } : [];
    });
  });
}

/** The number of code points that begin before each byte. */
function pointsBefore(bytes: Buffer): Uint32Array {
  const points = new Uint32Array(bytes.length + 1);
  for (let at = 0; at < bytes.length; at += 1) {
    const begins = (bytes[at] & 0xc0) !== 0x80;
    points[at + 1] = points[at] + (begins ? 1 : 0);
  }
  return points;
}

/** Undefined if the bytes differ from the text of the segment: its offsets then belong to another text. */
function segmentIn(
  bytes: Buffer,
  points: Uint32Array,
  segment: unknown,
): Pick<Citation, 'start_index' | 'end_index'> | undefined {
  if (!isObject(segment)) return undefined;
  const { startIndex = 0, endIndex, text } = segment;
  const [start, end] = [Number(startIndex), Number(endIndex)];
  const isWithin = Number.isInteger(start) && start >= 0 && start < end;
  if (!isWithin || !Number.isInteger(end) || end > bytes.length)
    return undefined;
  if (
    typeof text === 'string' &&
    text !== bytes.subarray(start, end).toString()
  )
    return undefined;
  return { start_index: points[start], end_index: points[end] };
}

const chunksOf = (meta: Fields): Source[] =>
  listIn(meta.groundingChunks).map((chunk) => {
    const { web, retrievedContext } = isObject(chunk) ? chunk : {};
    const page = isObject(web) ? web : retrievedContext;
    return isObject(page) ? sourceOf(page) : { url: '', title: '' };
  });

const sourceOf = (page: Fields): Source => ({
  url: urlOf(page),
  title: titleOf(page),
});

const urlOf = ({ url, uri }: Fields): string => pageUrl(url ?? uri);

const titleOf = ({ title }: Fields): string =>
  typeof title === 'string' ? title : '';

const listIn = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);

const objectsIn = (list: unknown): Fields[] => listIn(list).filter(isObject);

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(Array.isArray(value) && value.length === 0);

function distinct(annotations: Fields[]): Fields[] {
  const seen = new Map(annotations.map((one) => [JSON.stringify(one), one]));
  return [...seen.values()].slice(0, MAX_CITATIONS);
}

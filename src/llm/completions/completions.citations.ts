import { isObject } from '../../message/call.arguments';
import { type Citation, codePoints, type Source } from '../../message/citation';
import { citationsIn } from '../responses/responses.citations';

/** What a Chat Completions reply rests on, in whichever of these forms its provider has. Later frames repeat earlier ones. */
export interface Grounding {
  /** Perplexity: `[1]` in the text is the first of `citations`, which are addresses; `search_results` name the same pages. */
  citations?: unknown;
  search_results?: unknown;
  /** OpenAI's search models, and LiteLLM: `{type: 'url_citation', url_citation: {…}}`. */
  annotations?: unknown;
  /** Azure: `[doc1]` in the text is the first of `context.citations`. */
  context?: unknown;
  /** Gemini: segments of the text, in bytes of UTF-8, and the pages that support each. */
  groundingMetadata?: unknown;
}

type Place = Record<string, unknown>;
const MOST_CITATIONS = 10_000;

/** Takes what one frame, or one whole reply, adds. */
export function addGrounding(sum: Grounding, frame: object): Grounding {
  const choice = objectsIn((frame as Place).choices)[0] ?? {};
  const said = [frame, choice, choice.message, choice.delta]
    .filter(isObject)
    .flatMap((place) => [place, place.provider_specific_fields])
    .filter(isObject);
  const last = (...names: string[]): unknown =>
    said.flatMap((place) => names.map((name) => place[name])).findLast(isGiven);
  const grounding = last(
    'vertex_ai_grounding_metadata',
    'grounding_metadata',
    'groundingMetadata',
  );
  const annotations = said.flatMap((place) => objectsIn(place.annotations));
  return {
    citations: last('citations') ?? sum.citations,
    search_results: last('search_results') ?? sum.search_results,
    context: last('context') ?? sum.context,
    groundingMetadata: grounding ?? sum.groundingMetadata,
    annotations:
      annotations.length > 0
        ? distinct([...objectsIn(sum.annotations), ...annotations])
        : sum.annotations,
  };
}

/** The citations of a text, and the pages that were found, cited or not. */
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
    // What a gateway makes of segments counts bytes as if they were characters.
    ...(supported.length > 0 ? [] : citationsIn({ annotations }, text, 0)),
    ...supported,
    ...marksIn(text, /\[(\d{1,4})\]/g, pages),
    ...marksIn(text, /\[doc(\d{1,4})\]/g, documents),
  ];
  return {
    citations: citations
      .sort((a, b) => a.start_index - b.start_index)
      .slice(0, MOST_CITATIONS),
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

/** A mark that names no page is text like any other. */
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

function supportsIn(meta: Place, text: string): Citation[] {
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

/** How many code points begin before each byte. */
function pointsBefore(bytes: Buffer): Uint32Array {
  const points = new Uint32Array(bytes.length + 1);
  for (let at = 0; at < bytes.length; at += 1) {
    const begins = (bytes[at] & 0xc0) !== 0x80;
    points[at + 1] = points[at] + (begins ? 1 : 0);
  }
  return points;
}

/** Undefined where the bytes are not what the segment says that they are: then the offsets are of another text. */
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

const chunksOf = (meta: Place): Source[] =>
  listIn(meta.groundingChunks).map((chunk) => {
    const { web, retrievedContext } = isObject(chunk) ? chunk : {};
    const page = isObject(web) ? web : retrievedContext;
    return isObject(page) ? sourceOf(page) : { url: '', title: '' };
  });

const sourceOf = (page: Place): Source => ({
  url: urlOf(page),
  title: titleOf(page),
});

/** Only what a browser opens. */
function urlOf({ url, uri }: Place): string {
  const address = url ?? uri;
  return typeof address === 'string' && /^https?:\/\//i.test(address)
    ? address
    : '';
}

const titleOf = ({ title }: Place): string =>
  typeof title === 'string' ? title : '';

const listIn = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);

const objectsIn = (list: unknown): Place[] => listIn(list).filter(isObject);

const isGiven = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(Array.isArray(value) && value.length === 0);

function distinct(annotations: Place[]): Place[] {
  const seen = new Map(annotations.map((one) => [JSON.stringify(one), one]));
  return [...seen.values()].slice(0, MOST_CITATIONS);
}

import { annotationsOf } from '../writer/text/citations';
import type { GroundingForm } from './grounded-models';

/** A text, and the fields that its provider adds to the message or to the reply. */
export interface GroundedReply {
  text: string;
  message?: object;
  reply?: object;
}

interface Link {
  title: string;
  url: string;
  /** Position in the text without links. */
  at: number;
}

const LINK = / ?\(\[([^\]\n]+)\]\((https:\/\/sandbox\.example\/[^)\s]*)\)\)/g;

/** Converts the report of the sandbox, whose citations are inline links, to the format of another provider. */
export function groundedReply(
  report: string,
  form: GroundingForm,
): GroundedReply {
  const pages = [
    ...new Map(
      [...report.matchAll(LINK)].map(([, title, url]) => [url, title]),
    ),
  ].map(([url, title]) => ({ title, url }));
  const number = (url: string) => pages.findIndex((p) => p.url === url) + 1;
  const marked = (mark: (n: number) => string) =>
    report.replace(LINK, (_, __, url: string) => mark(number(url)));
  switch (form) {
    case 'perplexity':
      return {
        text: marked((n) => `[${n}]`),
        reply: {
          citations: pages.map(({ url }) => url),
          search_results: pages.map((page) => ({ ...page, date: null })),
        },
      };
    case 'azure':
      return {
        text: marked((n) => ` [doc${n}]`),
        message: {
          context: {
            citations: pages.map((page) => ({
              ...page,
              content: '',
              filepath: null,
              chunk_id: '0',
            })),
          },
        },
      };
    case 'annotations':
      return {
        text: report,
        message: {
          annotations: annotationsOf(report).flatMap((one) => {
            if (one.type !== 'url_citation') return [];
            const { type, ...url_citation } = one;
            return [{ type, url_citation }];
          }),
        },
      };
    case 'gemini':
      return geminiReply(report, pages);
  }
}

/** The format of LiteLLM: offsets are UTF-8 bytes of a text without markers. */
function geminiReply(report: string, pages: Omit<Link, 'at'>[]): GroundedReply {
  const links: Link[] = [];
  let text = '';
  let read = 0;
  for (const { 0: found, 1: title, 2: url, index } of report.matchAll(LINK)) {
    text += report.slice(read, index);
    read = index + found.length;
    links.push({ title, url, at: text.length });
  }
  text += report.slice(read);
  const bytes = (length: number) => Buffer.byteLength(text.slice(0, length));
  const groundingSupports = links.map(({ url, at }) => {
    const from = text.lastIndexOf('\n', at - 1) + 1;
    return {
      segment: {
        ...(from > 0 && { startIndex: bytes(from) }),
        endIndex: bytes(at),
        text: text.slice(from, at),
      },
      groundingChunkIndices: [pages.findIndex((page) => page.url === url)],
      confidenceScores: [0.9],
    };
  });
  return {
    text,
    reply: {
      vertex_ai_grounding_metadata: [
        {
          webSearchQueries: pages.map(({ title }) => title),
          groundingChunks: pages.map(({ title, url }) => ({
            web: { title, uri: url },
          })),
          groundingSupports,
        },
      ],
    },
  };
}

import { privateFile } from '../../corpus/private-files';
import type { ResponseOutputText } from 'openai/resources/responses/responses';

const LINK = /\(\[([^\]\n]+)\]\((https:\/\/sandbox\.example\/[^)\s]*)\)\)/g;

const codePoints = (text: string) => Array.from(text).length;

const FILE = /\(([\w-]+\.md)\)/g;

/**
 * A url_citation for every inline link `([title](url))` of the text, a file_citation for every `(private-file.md)`;
 * offsets count Unicode code points, end exclusive.
 */
export function annotationsOf(text: string): ResponseOutputText['annotations'] {
  return [...linksIn(text), ...filesIn(text)];
}

function filesIn(text: string): ResponseOutputText['annotations'] {
  return [...text.matchAll(FILE)].flatMap((match) => {
    const file = privateFile(match[1]);
    if (!file) return [];
    const index = codePoints(text.slice(0, match.index));
    const { id: file_id, filename } = file;
    return { type: 'file_citation' as const, file_id, filename, index };
  });
}

function linksIn(text: string): ResponseOutputText['annotations'] {
  return [...text.matchAll(LINK)].map((match) => {
    const start_index = codePoints(text.slice(0, match.index));
    return {
      type: 'url_citation',
      start_index,
      end_index: start_index + codePoints(match[0]),
      title: match[1],
      url: match[2],
    };
  });
}

/** The first `length` code points, and the citations that are complete in them. */
export function cutText(
  part: ResponseOutputText,
  length: number,
): ResponseOutputText {
  return {
    ...part,
    text: Array.from(part.text).slice(0, length).join(''),
    annotations: part.annotations.filter(
      (a) =>
        (a.type !== 'url_citation' || a.end_index <= length) &&
        (a.type !== 'file_citation' || a.index < length),
    ),
  };
}

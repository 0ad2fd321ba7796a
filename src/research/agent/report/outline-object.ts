import { codePoints } from '../../../platform/message/citation';
import type {
  AgentCitation,
  BoundSection,
  BoundSentence,
  ReadSource,
} from '../agent.types';
import { inMarkdown, linkLabel, linkTarget } from '../text/clean-text';
import { type Cited, type CitedText, foundOf, sourcesOf } from './cited-run';
import { append } from './report-text';

/** Links after one sentence. */
const MAX_LINKS = 3;

/** The report as one JSON object `{title, sections: [{heading, points}]}`. A point is a sentence with its links. */
export function outlineObject(
  title: string,
  sections: readonly BoundSection[],
  cited: Cited,
): CitedText {
  const result: CitedText = { text: '', citations: [] };
  append(result, `{\n  "title": ${JSON.stringify(title)},\n  "sections": [`);
  sections.forEach((section, at) => {
    const heading = JSON.stringify(section.title);
    append(
      result,
      `${at === 0 ? '' : ','}\n    {\n      "heading": ${heading},\n      "points": [`,
    );
    section.sentences.forEach((sentence, index) => {
      const piece = inJson(citedSentence(sentence, cited));
      append(result, `${index === 0 ? '' : ','}\n        "`);
      append(result, piece.text, piece.citations);
      append(result, '"');
    });
    append(result, '\n      ]\n    }');
  });
  append(result, '\n  ]\n}');
  return result;
}

/** A sentence with a link to each of its sources: JSON has no place for definitions. */
function citedSentence(sentence: BoundSentence, cited: Cited): CitedText {
  const { text, noteIds } = sentence;
  const citations: AgentCitation[] = [];
  const point = inMarkdown(text);
  let written = point;
  for (const number of sourcesOf(sentence, cited).slice(0, MAX_LINKS)) {
    const source = cited.sources[number - 1];
    const start = cited.links ? codePoints(written) + 1 : 0;
    if (cited.links) written += ` (${reference(source)})`;
    const { url, title } = source;
    const range = { start_index: start, end_index: codePoints(written) };
    for (const id of noteIds) {
      const note = cited.notes.get(id);
      if (note?.source !== number) continue;
      citations.push({
        url,
        title,
        ...range,
        sentence_start: 0,
        sentence_end: codePoints(point),
        quote: note.quote,
        source: number,
        ...foundOf(sentence),
      });
    }
  }
  return { text: written, citations };
}

function reference({ url, title }: ReadSource): string {
  const label = linkLabel(title, url);
  return /^https?:/i.test(url) ? `[${label}](${linkTarget(url)})` : label;
}

/** The text as it stands within a JSON string, with its citations there. */
function inJson({ text, citations }: CitedText): CitedText {
  const points = Array.from(text);
  const encoded = (end: number): string =>
    JSON.stringify(points.slice(0, end).join('')).slice(1, -1);
  const at = (end: number): number => codePoints(encoded(end));
  return {
    text: encoded(points.length),
    citations: citations.map((one) => ({
      ...one,
      start_index: at(one.start_index),
      end_index: at(one.end_index),
      sentence_start: at(one.sentence_start!),
      sentence_end: at(one.sentence_end!),
    })),
  };
}

import type { BoundSection } from '../agent.types';
import {
  append,
  type Cited,
  citedSentence,
  type CitedText,
} from './report-text';

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

/** The text as it stands within a JSON string, with its citations there. */
function inJson({ text, citations }: CitedText): CitedText {
  const points = Array.from(text);
  const encoded = (end: number): string =>
    JSON.stringify(points.slice(0, end).join('')).slice(1, -1);
  return {
    text: encoded(points.length),
    citations: citations.map((one) => ({
      ...one,
      start_index: Array.from(encoded(one.start_index)).length,
      end_index: Array.from(encoded(one.end_index)).length,
    })),
  };
}

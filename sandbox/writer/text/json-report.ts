import type { ResponseFormatTextConfig } from 'openai/resources/responses/responses';
import type { Brief } from '../request/brief';
import type { Language } from '../../corpus/language';
import { sandboxNote } from '../../corpus/language';
import type { Finding } from './report';
import { citationOf, citedSentences, headingOf, sandboxMark } from './report';
import { instanceOf } from '../function-calls/schema-instance';

/** The outline for `json_outline` and `json_object`. */
export function writeOutline(
  brief: Brief,
  findings: Finding[],
  language: Language,
): string {
  const outline = {
    title: headingOf(brief, findings, language),
    summary:
      findings.length > 0 ? citedSentences(brief, findings, 2).join(' ') : '',
    sections: findings.map(({ source, paragraphs }) => ({
      heading: source.title,
      points: paragraphs.map((p) => p + citationOf(source, brief)),
      source: source.url,
    })),
    note: sandboxNote[language].replaceAll('_', ''),
  };
  return JSON.stringify(outline, null, 2);
}

/** An instance of the requested schema whose strings are the title and then sentences of the findings. */
export function writeInstance(
  format: Extract<ResponseFormatTextConfig, { type: 'json_schema' }>,
  title: string,
  sentences: string[],
  language: Language,
): string {
  const texts = [title, ...sentences];
  let used = 0;
  const text = () => {
    const mark = used === 0 ? sandboxMark(language) : '';
    return mark + texts[used++ % texts.length];
  };
  return JSON.stringify(instanceOf(format.schema, { text, spare: false }));
}

import type { Brief } from '../request/brief';
import type { Language } from '../../corpus/language';
import { languageOf, sandboxNote } from '../../corpus/language';
import type { Source } from '../../corpus/search';
import { bestParagraphs } from '../../corpus/search';
import { topicLine } from '../../corpus/topics';
import { sentencesOf } from './sentences';
import { titleOf } from './title';

export interface Finding {
  source: Source;
  paragraphs: string[];
}

const BRIEF_SOURCES = 3;
const REPORT_SOURCES = 8;

const words = {
  ko: {
    report: '조사 보고서',
    documents: '제공된 문서',
    nothing: (searched: string) =>
      `내장된 자료 모음에서 이 질문에 맞는 글을 찾지 못했습니다. 찾아본 검색어: ${searched}.`,
    honest: `지어낸 내용을 적는 대신 여기에서 멈춥니다. 이 샌드박스에 글이 있는 주제: ${topicLine('ko')}.`,
    mark: '[샌드박스] ',
  },
  en: {
    report: 'Research report',
    documents: 'Supplied documents',
    nothing: (searched: string) =>
      `The bundled corpus has nothing on this question. Searched for: ${searched}.`,
    honest: `Rather than invent an answer, this report ends here. This sandbox has pages on: ${topicLine('en')}.`,
    mark: '[sandbox] ',
  },
};

/** Short form of the note, for formats without a line for it. */
export const sandboxMark = (language: Language) => words[language].mark;

export function findingsOf(brief: Brief, sources: Source[]): Finding[] {
  const long = brief.deliverable !== 'markdown_brief';
  return sources
    .slice(0, long ? REPORT_SOURCES : BRIEF_SOURCES)
    .map((source) => ({
      source,
      paragraphs: bestParagraphs(source, brief.searchText, long ? 4 : 1),
    }));
}

/** The inline link of a citation; a supplied document is named by its title instead. */
export function citationOf(source: Source, brief: Brief): string {
  if (!brief.citations) return '';
  return source.url
    ? ` ([${source.title}](${source.url}))`
    : ` (${source.title})`;
}

/** The question, or the title of the best source if the question is in another language than the reply. */
export function headingOf(
  brief: Brief,
  findings: Finding[],
  language: Language,
): string {
  const asked = titleOf(brief.question);
  if (languageOf(asked) === language) return asked;
  const subject = findings
    .map(({ source }) => source.title.split(':')[0])
    .find((title) => languageOf(title) === language);
  return subject ?? words[language].report;
}

export function writeReport(
  brief: Brief,
  findings: Finding[],
  searched: string[],
  instructions: string,
  language: Language,
): string {
  const w = words[language];
  const asked = `${instructions}\n${brief.searchText}`;
  if (findings.length === 0)
    return [
      `# ${headingOf(brief, findings, language)}`,
      w.nothing(searched.map((query) => `"${query}"`).join(', ')),
      w.honest,
      sandboxNote[language],
    ].join('\n\n');
  if (/two sentences|2 sentences|2\s*문장|두\s*문장/i.test(asked))
    return w.mark + citedSentences(brief, findings, 2).join(' ');
  if (/numbered list|번호\s*목록|번호를 매긴/i.test(asked))
    return citedSentences(brief, findings, 8)
      .map((line, i) => `${i + 1}. ${i === 0 ? w.mark : ''}${line}`)
      .join('\n');
  return [
    `# ${headingOf(brief, findings, language)}`,
    ...findings.flatMap((finding) => section(brief, finding)),
    ...sourceList(brief, findings, language),
    sandboxNote[language],
  ].join('\n\n');
}

function section(brief: Brief, { source, paragraphs }: Finding): string[] {
  const cited = paragraphs.map((p) => p + citationOf(source, brief));
  return brief.deliverable === 'markdown_report'
    ? [`## ${source.title}`, ...cited]
    : cited;
}

function sourceList(
  brief: Brief,
  findings: Finding[],
  language: Language,
): string[] {
  const documents = findings.filter(({ source }) => source.url === null);
  if (brief.deliverable !== 'markdown_report' || documents.length === 0)
    return [];
  return [
    `## ${words[language].documents}`,
    documents.map(({ source }) => `- ${source.title}`).join('\n'),
  ];
}

/** One sentence from each source in turn; the link precedes the full stop, so that it belongs to its sentence. */
export function citedSentences(
  brief: Brief,
  findings: Finding[],
  count: number,
): string[] {
  const queues = findings.map(({ source, paragraphs }) =>
    paragraphs.flatMap(sentencesOf).map((sentence) => {
      const end = /[.!?。]$/.exec(sentence)?.[0] ?? '';
      const bare = sentence.slice(0, sentence.length - end.length);
      return bare + citationOf(source, brief) + end;
    }),
  );
  const longest = Math.max(...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, i) =>
    queues.flatMap((queue) => queue.slice(i, i + 1)),
  )
    .flat()
    .slice(0, count);
}

import type {
  ResponseOutputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Ask } from './request/ask';
import type { Brief } from './request/brief';
import { readBrief } from './request/brief';
import type { Conversation } from './request/conversation';
import { newId } from '../wire/ids';
import { writeInstance, writeOutline } from './text/json-report';
import type { Language } from '../corpus/language';
import { replyLanguage } from '../corpus/language';
import type { Finding } from './text/report';
import { findingsOf, headingOf, writeReport } from './text/report';
import type { PrivateFile } from '../corpus/private-files';
import { asSource, searchPrivate } from '../corpus/private-files';
import { orderDocuments } from '../corpus/search';
import {
  fileSearchCall,
  listCalls,
  mcpCalls,
  searchCall,
  webCall,
} from './hosted/hosted.calls';
import { searchWeb } from './hosted/web';
import { sentencesOf } from './text/sentences';
import { titleOf } from './text/title';

const thoughts: Record<Language, string[]> = {
  ko: [
    '**질문 살펴보기** 무엇을 묻는지 나누고 찾아볼 말을 정합니다.',
    '**자료 고르기** 찾은 글 가운데 질문에 답하는 부분을 고릅니다.',
    '**보고서 쓰기** 고른 부분을 순서대로 엮고 출처를 답니다.',
  ],
  en: [
    '**Reading the question** Splitting it up and choosing what to search for.',
    '**Choosing sources** Picking the passages that answer the question.',
    '**Writing the report** Putting the passages in order and citing them.',
  ],
};

/** The steps of a research run before its text, and the text. */
export interface Research {
  before: ResponseOutputItem[];
  text: string;
}

export function research(ask: Ask, talk: Conversation): Research {
  const brief = readBrief(talk.userText);
  const instructions = `${ask.instructions}\n${talk.systemText}`;
  const language = replyLanguage(instructions, brief.question);
  const asksOwn =
    ask.mcpServers.length > 0 || ask.hosted.includes('file_search');
  const own = asksOwn ? searchPrivate(brief.searchText) : [];
  // With private sources only, nothing else is used.
  const pages =
    ask.canSearch || !asksOwn ? searchWeb(ask, brief.searchText, language) : [];
  const findings = findingsOf(brief, [
    ...orderDocuments(brief.documents, language),
    ...own.map((file) => asSource(file, ask.mcpServers.length > 0)),
    ...pages,
  ]);
  const queries = queriesFor(brief);
  const onWeb = findings.filter(({ source }) => pages.includes(source));
  const steps = calls(ask, queries, onWeb, own);
  return {
    before: interleave(thoughts[language], steps, ask.wantsSummaries),
    text: write(ask, brief, findings, queries, instructions, language),
  };
}

function write(
  ask: Ask,
  brief: Brief,
  findings: Finding[],
  queries: string[],
  instructions: string,
  language: Language,
): string {
  if (ask.format.type === 'json_schema') {
    const sentences = findings.flatMap((f) =>
      f.paragraphs.flatMap(sentencesOf),
    );
    const title = headingOf(brief, findings, language);
    return writeInstance(ask.format, title, sentences, language);
  }
  if (ask.format.type === 'json_object' || brief.deliverable === 'json_outline')
    return writeOutline(brief, findings, language);
  return writeReport(brief, findings, queries, instructions, language);
}

const queriesFor = (brief: Brief) => [
  ...new Set([titleOf(brief.question), brief.question.slice(0, 120)]),
];

/** The calls of hosted tools; billable ones never exceed the limit of the request. */
function calls(
  ask: Ask,
  queries: string[],
  findings: Finding[],
  own: PrivateFile[],
): ResponseOutputItem[] {
  const billable = [
    ...(ask.hosted.includes('file_search')
      ? [fileSearchCall(ask, queries[0], own)]
      : []),
    ...ask.mcpServers.flatMap((server) => mcpCalls(server, queries[0], own)),
    ...(ask.canSearch ? searchCalls(ask, queries, findings) : []),
  ];
  return [...listCalls(ask), ...billable.slice(0, ask.maxSearches)];
}

function searchCalls(
  ask: Ask,
  queries: string[],
  findings: Finding[],
): ResponseOutputItem[] {
  const urls = findings.flatMap(({ source }) => source.url ?? []);
  const searches = queries.map((query) => searchCall(ask, query, urls));
  if (urls.length === 0) return searches;
  return [
    ...searches,
    webCall({ type: 'open_page', url: urls[0] }),
    webCall({ type: 'find_in_page', url: urls[0], pattern: queries[0] }),
  ];
}

/** A reasoning item before each step while there are any; summaries stay empty unless requested. */
function interleave(
  texts: string[],
  steps: ResponseOutputItem[],
  wantsSummaries: boolean,
): ResponseOutputItem[] {
  const thought = (text: string): ResponseReasoningItem => ({
    id: newId('rs'),
    type: 'reasoning',
    summary: wantsSummaries ? [{ type: 'summary_text', text }] : [],
  });
  const rounds = Math.max(texts.length, steps.length);
  return Array.from({ length: rounds }, (_, i) => [
    ...texts.slice(i, i + 1).map(thought),
    ...steps.slice(i, i + 1),
  ]).flat();
}

import type { Conversation, ToolOutput } from '../request/conversation';
import { readBrief } from '../request/brief';
import { isObject } from '../../wire/json';
import type { Language } from '../../corpus/language';
import { languageOf, sandboxNote } from '../../corpus/language';
import { bestParagraphs, searchCorpus } from '../../corpus/search';
import { topicLine } from '../../corpus/topics';
import { clockAnswer } from './clock';
import { sentencesOf } from './sentences';

const GREETING = /안녕|반가|반갑|^\s*(hi|hello|hey|good (morning|evening))\b/i;
const THANKS = /고마|감사|\bthank/i;
export const SUM = /(-?\d+(?:\.\d+)?)\s*([+*/x×÷-])\s*(-?\d+(?:\.\d+)?)/;
const TEXT_FIELDS = [
  'output_text',
  'research_summary',
  'report',
  'text',
  'content',
  'error_message',
  'message',
  'error',
];
const PARAGRAPHS_TOLD = 2;

const words = {
  ko: {
    hello: '안녕하세요! 무엇을 도와드릴까요?',
    welcome: '천만에요. 더 필요한 것이 있으면 말씀해 주세요.',
    unknown: `이 질문에 바로 답할 자료가 없습니다. "자세히 조사해 줘"라고 하시면 깊이 찾아보겠습니다. 이 샌드박스에 글이 있는 주제: ${topicLine('ko')}.`,
    empty: '도구가 아무 내용도 돌려주지 않았습니다.',
  },
  en: {
    hello: 'Hello! How can I help you?',
    welcome: 'You are welcome. Let me know if you need anything else.',
    unknown: `There is nothing at hand to answer this directly. Ask for research "in detail" and it will be looked up. This sandbox has pages on: ${topicLine('en')}.`,
    empty: 'The tool returned nothing.',
  },
};

/** The text of a turn without calls: from tool outputs if there are any, else a short reply. */
export function writeAnswer(talk: Conversation): string {
  const { searchText, documents } = readBrief(talk.userText);
  const language = languageOf(searchText);
  const text =
    talk.toolOutputs.length > 0
      ? (clockAnswer(searchText, talk.toolOutputs, language) ??
        talk.toolOutputs.map((output) => retell(output, language)).join('\n\n'))
      : reply(searchText, documents, language);
  return `${text}\n\n${sandboxNote[language]}`;
}

function reply(
  question: string,
  documents: ReturnType<typeof readBrief>['documents'],
  language: Language,
): string {
  const w = words[language];
  const sum = SUM.exec(question);
  if (sum) return `${sum[0].trim()} = ${calculate(sum)}`;
  const source = [...documents, ...searchCorpus(question, language)].at(0);
  if (source)
    return sentencesOf(bestParagraphs(source, question, 1).join(' '))
      .slice(0, 2)
      .join(' ');
  if (GREETING.test(question)) return w.hello;
  return THANKS.test(question) ? w.welcome : w.unknown;
}

function calculate([, left, operator, right]: string[]): number {
  const [a, b] = [Number(left), Number(right)];
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  return operator === '/' || operator === '÷' ? a / b : a * b;
}

/** The first paragraphs of a tool output, without headings, links and the note of the sandbox. */
function retell(output: ToolOutput, language: Language): string {
  const paragraphs = plainText(output.text)
    .split(/\n{2,}/)
    .map((p) => p.replace(/\s*\(\[[^\]]*\]\([^)]*\)\)/g, '').trim())
    .filter((p) => p !== '' && !p.startsWith('#') && !isNote(p));
  return paragraphs.length > 0
    ? paragraphs.slice(0, PARAGRAPHS_TOLD).join('\n\n')
    : words[language].empty;
}

const isNote = (paragraph: string) =>
  Object.values(sandboxNote).includes(paragraph);

/** Tool outputs are text, or a JSON object with the text in one of the usual fields. */
function plainText(output: string): string {
  try {
    const parsed: unknown = JSON.parse(output);
    if (!isObject(parsed)) return output;
    const field = TEXT_FIELDS.find((name) => typeof parsed[name] === 'string');
    return field ? String(parsed[field]) : output;
  } catch {
    return output;
  }
}

import type { FunctionTool } from 'openai/resources/responses/responses';
import { type Language, languageOf } from '../../corpus/language';
import { ASK_USER, type Conversation } from '../request/conversation';
import type { SteeredCall } from './steering';

const RESEARCH_WORDS =
  /자세히|자세하게|상세|조사|연구|리서치|역사|유래|분석|심층|깊이|보고서|비교|\b(research|investigat\w*|in[- ]depth|in (great |more )?detail|deep dive|history of|origins? of|reports? on|analy[sz]e|analysis of|compar(e|ison)|literature review)\b/i;
/** Words that do not name the subject of the research. */
const SAYS_NOTHING =
  /^(([이그저](거|것|걸|건)|뭔가|무언가|자세히|자세하게|상세히|상세하게|조사|연구|리서치|역사|유래|분석|심층|깊이|보고서|비교|대해서?|관해서?|좀|써|알려|부탁)?(에|을|를|은|는|도|좀|해|하고|싶어요?|줘요?|주세요|봐요?)*|research|investigate|analy[sz]e|analysis|compare|comparison|report|history|origins?|detail|depth|in-depth|deep|dive|great|more|it|this|that|these|those|them|something|please|can|could|would|you|i|we|need|want|do|make|write|some|a|an|the|about|on|into|of|for|me|in|to)$/i;
const QUESTIONS: Record<Language, string> = {
  ko: '무엇에 대해 조사할까요?',
  en: 'What is the research to be about?',
};

/** Whether the message needs more than a short reply. */
export const wantsResearch = (text: string) => RESEARCH_WORDS.test(text);

/** The call that asks the user for the subject of a research request without one. */
export function clarifyingQuestion(
  functions: Pick<FunctionTool, 'name'>[],
  message: string,
  talk: Conversation,
): SteeredCall | undefined {
  if (talk.clarified !== undefined || !wantsResearch(message)) return undefined;
  if (!functions.some(({ name }) => name === ASK_USER)) return undefined;
  const words = message.split(/[^\p{L}\p{N}-]+/u);
  if (!words.every((word) => SAYS_NOTHING.test(word))) return undefined;
  const question = QUESTIONS[languageOf(message)];
  return { name: ASK_USER, arguments: JSON.stringify({ question }) };
}

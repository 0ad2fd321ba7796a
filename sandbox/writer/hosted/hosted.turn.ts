import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import type { Language } from '../../corpus/language';
import { languageOf, sandboxNote } from '../../corpus/language';
import { asSource, searchPrivate } from '../../corpus/private-files';
import type { Source } from '../../corpus/search';
import { SUM, writeAnswer } from '../text/answer';
import type { Ask } from '../request/ask';
import type { Brief } from '../request/brief';
import { readBrief } from '../request/brief';
import type { Conversation } from '../request/conversation';
import {
  codeCall,
  fileSearchCall,
  imageCall,
  listCalls,
  mcpCalls,
  searchCall,
} from './hosted.calls';
import { citedSentences, findingsOf } from '../text/report';
import { titleOf } from '../text/title';
import { searchWeb } from './web';

const IMAGE =
  /그려|그림|이미지|\b(draw|paint|sketch)\b|\b(image|picture|drawing) of\b/i;
const SENTENCES = 2;

const words: Record<Language, { image: string }> = {
  ko: { image: '요청하신 그림입니다.' },
  en: { image: 'Here is the image.' },
};

/** The calls of hosted tools in a chat turn, and the text after them; no text if an approval is needed first. */
export interface HostedTurn {
  before: ResponseOutputItem[];
  text: string | null;
}

/** Uses the first suitable tool; null if none is. */
export function hostedTurn(ask: Ask, talk: Conversation): HostedTurn | null {
  if (ask.hosted.length === 0 || ask.choice === 'none') return null;
  const before = listCalls(ask);
  const used = talk.toolOutputs.length > 0 ? null : useTool(ask, talk);
  if (used) return { ...used, before: [...before, ...used.before] };
  return before.length > 0 ? { before, text: writeAnswer(talk) } : null;
}

function useTool(ask: Ask, talk: Conversation): HostedTurn | null {
  const brief = readBrief(talk.userText);
  const { searchText } = brief;
  const language = languageOf(searchText);
  const noted = (text: string) => `${text}\n\n${sandboxNote[language]}`;
  const query = titleOf(brief.question);
  if (ask.hosted.includes('image_generation') && IMAGE.test(searchText))
    return { before: [imageCall()], text: noted(words[language].image) };
  const sum = SUM.exec(searchText);
  if (ask.hosted.includes('code_interpreter') && sum)
    return { before: [codeCall(`print(${sum[0]})`)], text: writeAnswer(talk) };
  const own = searchPrivate(searchText);
  if (ask.hosted.includes('file_search') && own.length > 0)
    return {
      before: [fileSearchCall(ask, query, own)],
      text: noted(
        textFrom(
          brief,
          own.map((found) => asSource(found, false)),
        ),
      ),
    };
  const [server] = ask.mcpServers;
  if (server && own.length > 0)
    return {
      before: mcpCalls(server, query, own),
      text: server.approved
        ? noted(
            textFrom(
              brief,
              own.map((found) => asSource(found, true)),
            ),
          )
        : null,
    };
  const pages = ask.canSearch ? searchWeb(ask, searchText, language) : [];
  if (pages.length === 0) return null;
  const urls = pages.flatMap(({ url }) => url ?? []);
  return {
    before: [searchCall(ask, query, urls)],
    text: noted(textFrom(brief, pages)),
  };
}

const textFrom = (brief: Brief, sources: Source[]) =>
  citedSentences(brief, findingsOf(brief, sources), SENTENCES).join(' ');

import { api, read, uniqueKey, type Schemas } from '../api/client';
import { keep, kept } from '../ui/use-kept';
import type { ChatRecord } from './chat.follower';

const KEY = 'Idempotency-Key';
/** Of one turn; the record of a research holds all of its own. */
const MAX_CITATIONS = 100;

/** A call of a tool as it is shown with its turn. */
export type Call = Schemas['ToolCallDto'] & {
  /** The last that the tool has reported. */
  detail?: string;
};

/** A question that was answered. */
export interface Turn {
  question: string;
  answer: string;
  calls: Call[];
  /** Of the words of the answer. */
  citations: Schemas['CitationDto'][];
  /** Pages of the research that the answer rests on. */
  sources: Schemas['SourceDto'][];
}

/** What the model is given beside the message. */
export interface ChatOptions {
  /** Empty: the first that the operator allows. */
  model: string;
  /** Tools that are not offered. */
  without: string[];
}

/** What the record of a chat does not hold: the turns before it. Kept for the session of this tab. */
export interface Conversation {
  earlier: Turn[];
  question: string;
}

export function conversationOf(chatId: string): Conversation | undefined {
  const found = kept<Conversation>(`chat.${chatId}`);
  return (
    found && {
      question: found.question,
      earlier: found.earlier.map((one) => ({ ...NOTHING, ...one })),
    }
  );
}

const NOTHING = { calls: [], citations: [], sources: [] };

/** The last turn, as its record and its calls have it. */
export function turnOf(
  question: string,
  answer: string,
  calls: readonly Call[],
  record: ChatRecord | undefined,
): Turn {
  const cited = record?.citations ?? [];
  // With research the citations are of its report, which may be the answer itself.
  const isReport = record?.research_summary === answer;
  const ofAnswer = !record?.research_summary || isReport;
  const pages = new Map(cited.map(({ url, title }) => [url, { url, title }]));
  return {
    question,
    answer,
    calls: [...calls],
    citations: ofAnswer ? cited.slice(0, MAX_CITATIONS) : [],
    sources: ofAnswer ? [] : [...pages.values()].slice(0, MAX_CITATIONS),
  };
}

/**
 * Asks in the background, so that the answer can be left and found again.
 * @param tools the tools that may be called; undefined for all.
 * @param key the same for every try of one message.
 */
export async function send(
  conversation: Conversation,
  options: { model: string; tools: readonly string[] | undefined },
  key = uniqueKey(),
): Promise<string> {
  const { earlier, question } = conversation;
  const { model, tools } = options;
  const text = (role: 'user' | 'assistant', content: string) => ({
    role,
    contents: [{ type: 'text' as const, text: content }],
  });
  const reply = await read(
    api.POST('/api/v1/chat', {
      params: { header: { [KEY]: key } },
      body: {
        message: question,
        background: true,
        ...(model !== '' && { model }),
        ...(tools &&
          (tools.length > 0 ? { tools } : { auto_tool_call: false })),
        ...(earlier.length > 0 && {
          messages: earlier.flatMap((turn) => [
            text('user', turn.question),
            text('assistant', turn.answer),
          ]),
        }),
      } as never,
    }),
  );
  const id = (reply as { chat_id: string }).chat_id;
  // Without room the chat goes on, and a reload shows its last turn alone.
  keep(`chat.${id}`, conversation);
  return id;
}

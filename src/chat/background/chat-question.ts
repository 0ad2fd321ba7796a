import { textOf } from '../../platform/message/part-text';
import type { Part } from '../../platform/message/message';
import { listedQuestion } from '../../runs/submit/listed-question';
import type { ChatRequest } from '../dto/chat.dto';

/** What the user said last, for listings: without context, documents and images. */
export function chatQuestion({ message, messages = [] }: ChatRequest): string {
  if (typeof message === 'string') return listedQuestion(message);
  const last = messages.findLast(({ role }) => role === 'user');
  const texts = (last?.contents ?? []).filter(({ type }) => type === 'text');
  return listedQuestion(textOf(texts as Part[]));
}

import {
  type Citation,
  codePoints,
  located,
} from '../../platform/message/citation';
import type { MessageDelta } from '../../platform/message/delta';
import type { ChatReply } from '../dto/chat-response.dto';

/** Between the texts of two turns of the model. */
const BETWEEN = '\n\n';

/** A call of a function of the caller, its arguments as JSON. */
export interface CallerCall {
  id: string;
  name: string;
  arguments: string;
}

export function callsOf({ message }: ChatReply): CallerCall[] {
  return (message?.tool_calls ?? []).map(({ id = '', function: fn }) => ({
    id,
    name: fn.name,
    arguments: JSON.stringify(fn.arguments),
  }));
}

/**
 * The text of the reply. Before calls of the caller it begins with the report of research that Sonde has run: the next request
 * repeats this message, and without the report the model would ask for the research again.
 */
export function contentOf(reply: ChatReply): string {
  const { content, research_summary: report } = reply;
  if (callsOf(reply).length === 0) return content ?? '';
  return [report, content].filter(Boolean).join('\n\n');
}

/**
 * The citations as places in `content`. A page that research cites and whose report is not part of the text stands at its
 * end, with an empty range.
 */
export function citationsIn(reply: ChatReply, content: string): Citation[] {
  const { citations, research_summary: report } = reply;
  if (!citations) return [];
  if (report === null || report === content) return [...citations];
  if (content.includes(report.trim()))
    return located(citations, report, content);
  const end = codePoints(content);
  const pages = new Map(citations.map((citation) => [citation.url, citation]));
  return [...pages.values()].map(({ url, title }) => ({
    url,
    title,
    start_index: end,
    end_index: end,
  }));
}

/** The texts of all turns as one, piece by piece. */
export class ReplyText {
  /** The part that the last text belongs to, and what was sent of it and before it. */
  private part = -1;
  private partText = '';
  private before = '';

  /** What to send of a delta. */
  add({ contents = [] }: MessageDelta): string[] {
    return contents
      .filter(({ text = '' }) => text !== '')
      .map(({ index, text = '' }) => this.append(index, text));
  }

  /** What is left to send of the reply: text that was no delta. */
  rest(reply: ChatReply): string {
    const content = contentOf(reply);
    const missing = this.missingOf(content, reply);
    return missing && this.append(this.part + 1, missing);
  }

  /** Places in all that was sent. */
  citations(reply: ChatReply): Citation[] {
    const content = contentOf(reply);
    const sent = this.before + this.partText;
    const at = sent.lastIndexOf(content);
    if (at < 0) return [];
    const shift = codePoints(sent.slice(0, at));
    return citationsIn(reply, content).map((citation) => ({
      ...citation,
      start_index: citation.start_index + shift,
      end_index: citation.end_index + shift,
    }));
  }

  private append(part: number, text: string): string {
    const isNew = part !== this.part;
    const sent = this.before + this.partText;
    const gap = isNew && sent !== '' ? BETWEEN : '';
    if (isNew) {
      this.before = sent + gap;
      this.partText = '';
      this.part = part;
    }
    this.partText += text;
    return gap + text;
  }

  private missingOf(content: string, reply: ChatReply): string {
    if (content === '' || content === this.partText) return '';
    // The text beside the calls was sent as it arrived.
    const isSent = callsOf(reply).length > 0 && reply.content === this.partText;
    return isSent ? (reply.research_summary ?? '') : content;
  }
}

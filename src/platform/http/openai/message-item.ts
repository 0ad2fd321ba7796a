import type {
  ResponseOutputMessage,
  ResponseOutputText,
} from 'openai/resources/responses/responses';
import { type Citation, shownPlaces } from '../../message/citation';
import type { Unnumbered } from './response-shape';

/** The message after its last event. */
export function messageOf(
  id: string,
  text: string,
  citations: readonly Citation[],
  status: ResponseOutputMessage['status'],
): ResponseOutputMessage {
  const content = [part(text, shownPlaces(citations).map(annotationOf))];
  return { id, type: 'message', status, role: 'assistant', content };
}

/** The events of one message with one part of text. */
export class MessageItem {
  private text = '';

  constructor(
    private readonly id: string,
    private readonly index: number,
  ) {}

  *open(): Generator<Unnumbered> {
    yield {
      type: 'response.output_item.added',
      output_index: this.index,
      item: this.item('in_progress', []),
    };
    yield {
      type: 'response.content_part.added',
      ...this.at,
      part: part('', []),
    };
  }

  *add(delta: string): Generator<Unnumbered> {
    if (delta === '') return;
    this.text += delta;
    yield {
      type: 'response.output_text.delta',
      ...this.at,
      delta,
      logprobs: [],
    };
  }

  /** @param whole the text on record, which what was added is the beginning of. */
  *complete(
    whole: string,
    citations: readonly Citation[],
    status: 'completed' | 'incomplete',
  ): Generator<Unnumbered, ResponseOutputMessage> {
    if (whole.startsWith(this.text))
      yield* this.add(whole.slice(this.text.length));
    const annotations = shownPlaces(citations).map(annotationOf);
    for (const [annotation_index, annotation] of annotations.entries())
      yield {
        type: 'response.output_text.annotation.added',
        ...this.at,
        annotation_index,
        annotation,
      };
    const { text } = this;
    yield { type: 'response.output_text.done', ...this.at, text, logprobs: [] };
    const done = part(text, annotations);
    yield { type: 'response.content_part.done', ...this.at, part: done };
    const item = this.item(status, [done]);
    yield {
      type: 'response.output_item.done',
      output_index: this.index,
      item,
    };
    return item;
  }

  private get at() {
    return { output_index: this.index, item_id: this.id, content_index: 0 };
  }

  private item(
    status: ResponseOutputMessage['status'],
    content: ResponseOutputText[],
  ): ResponseOutputMessage {
    return { id: this.id, type: 'message', status, role: 'assistant', content };
  }
}

function part(
  text: string,
  annotations: ResponseOutputText['annotations'],
): ResponseOutputText {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

function annotationOf({
  url,
  title,
  start_index,
  end_index,
}: Citation): ResponseOutputText.URLCitation {
  return {
    type: 'url_citation',
    // Clients show it as a link, so there is always one.
    title: title || hostOf(url),
    url,
    start_index,
    end_index,
  };
}

function hostOf(url: string): string {
  return (URL.canParse(url) && new URL(url).host) || url;
}

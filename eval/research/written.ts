import type { CompletionPort } from '../../src/research/agent/agent-ports';
import {
  sectionPrompt,
  type WrittenSentence,
} from '../../src/research/agent/prompts/section.prompt';
import { flattened } from '../../src/research/agent/text/section-layout';
import type { ModelReply, ModelRequest } from './endpoint';

/** Passes calls on and remembers what was written, without the rewrites that a fault causes. */
export class WriterLog implements CompletionPort {
  /** Before anything was compared. */
  readonly sentences: WrittenSentence[] = [];
  calls = 0;

  constructor(private readonly model: CompletionPort) {}

  async complete(request: ModelRequest): Promise<ModelReply> {
    this.calls += 1;
    const reply = await this.model.complete(request);
    const isRewrite = request.messages.some(({ content }) =>
      content.includes('<data name="faults">'),
    );
    if (request.schema?.name === sectionPrompt.name && !isRewrite)
      this.sentences.push(...sentencesIn(reply.value));
    return reply;
  }
}

/** As many as the agent reads of one section. */
function sentencesIn(value: unknown): WrittenSentence[] {
  const section = sectionPrompt.schema.safeParse(value);
  return section.success ? flattened(section.data).sentences : [];
}

import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../../platform/auth/caller';
import { AppError } from '../../../platform/errors';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { digitsOf, freshId } from '../../../runs/record/run-id';
import { RunsService } from '../../../runs/runs.service';
import { JoinedRuns } from '../../../runs/repeats/joined-runs';
import type { Accepted } from '../../../runs/submit/run-submitter';
import { itemIdOf } from '../response-id';
import type { InputItem, ResponseRequest } from '../response-request';
import type { CreateMessage } from './create-input';
import { type CreateRequest, previousNotFound } from './create-request';

export const RESEARCH = 'deep_research';

/** Where an argument of research comes from in a request of OpenAI. */
const PARAMETERS: Record<string, string> = {
  budget: 'max_tool_calls',
  context: 'input',
  data_sources: 'tools',
  documents: 'input',
  engine: 'model',
  research_question: 'input',
  system_prompt: 'instructions',
  text_format: 'text.format',
};

export interface CreateCall {
  readonly caller: CallerIdentity;
  readonly requestId: string;
  readonly forwarded: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey: string | undefined;
  /** The SDK repeats the request by itself. */
  readonly isRetry: boolean;
}

/** Begins research, once for every request however often it arrives. */
@Injectable()
export class ResearchResponses {
  constructor(
    private readonly runs: RunsService,
    private readonly joined: JoinedRuns,
  ) {}

  /** @param body the request as it came, which decides whether another one is the same. */
  async submit(
    body: unknown,
    create: CreateRequest,
    call: CreateCall,
  ): Promise<Pick<Accepted, 'record'>> {
    const { idempotencyKey: key, caller, isRetry } = call;
    const submit = (own: string) => this.accept(own, body, create, call);
    try {
      if (key !== undefined) return await submit(key);
      return await this.joined.join(
        { door: 'v1', caller, target: 'responses', body, isRetry },
        submit,
      );
    } catch (error) {
      throw inTheirWords(error, create.files);
    }
  }

  private accept(
    key: string,
    body: unknown,
    { mode, arguments: wanted, request, messages }: CreateRequest,
    { caller, requestId, forwarded }: CreateCall,
  ): Promise<Accepted> {
    // Every model has an effort: it selects no engine.
    const { depth, ...args } = wanted;
    const digits = digitsOf(freshId('inv_', this.runs.now()));
    const kept: ResponseRequest = {
      ...request,
      input: messages.map((item, index) => inputItem(item, digits, index)),
    };
    return this.runs.submit({
      tool: RESEARCH,
      arguments: args,
      metadata: request.metadata,
      mode,
      caller,
      requestId,
      forwarded,
      fields: {
        response_request: JSON.stringify(kept),
        webhook_form: 'response',
        ...(typeof depth === 'string' && { depth }),
      },
      idempotency: { key, body },
    });
  }
}

function inputItem(
  { role, content }: CreateMessage,
  digits: string,
  index: number,
): InputItem {
  const id = itemIdOf('in', digits, index);
  const base = { id, type: 'message' as const, status: 'completed' as const };
  if (role !== 'assistant')
    return {
      ...base,
      role,
      // Of a file nothing but its name is kept.
      content: content.map((one) =>
        one.type === 'input_file'
          ? { type: one.type, filename: one.filename }
          : { type: 'input_text', text: one.text },
      ),
    };
  return {
    ...base,
    role,
    content: content.flatMap((one) =>
      one.type === 'input_file'
        ? []
        : [
            {
              type: 'output_text',
              text: one.text,
              annotations: [],
              logprobs: [],
            },
          ],
    ),
  };
}

/** A fault of the arguments names the parameter that they were made of. */
function inTheirWords(error: unknown, files: readonly string[]): unknown {
  if (!(error instanceof AppError) || error.code !== 'validation_failed')
    return error;
  const [fault] = error.errors ?? [];
  const [, argument = '', at = ''] =
    /^arguments\.(\w+)(?:\.(\d+)\.)?/.exec(fault?.path ?? '') ?? [];
  if (argument === 'previous_invocation_id') return previousNotFound();
  const file = argument === 'documents' && at !== '' && files[Number(at)];
  const param = file ? `${file}.file_data` : PARAMETERS[argument];
  if (param === undefined) return error;
  return new OpenAiRefusal(
    'invalid_value',
    `Invalid '${param}': ${fault.message}.`,
    param,
  );
}

import { once } from 'node:events';
import { LearntModels } from '../llm/models/learnt-models';
import { Logger } from '@nestjs/common';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
} from '../../sandbox/testing/sandbox-under-test';
import { z } from 'zod';
import { loadConfig } from '../config/load-config';
import { AppError } from '../platform/errors';
import { Guardrails } from '../tools/guardrails/guardrails';
import { CompletionsEngine } from '../llm/completions/completions-engine';
import { PriceTable } from '../llm/prices/price-table';
import { ModelClient } from '../llm/model.client';
import { ResponsesEngine } from '../llm/responses/responses-engine';
import { UpstreamClient } from '../llm/upstream/upstream.client';
import { deepResearch } from '../research/arguments/research-arguments';
import type { RunRecord } from '../runs/record/run-record';
import type { RunsService } from '../runs/runs.service';
import { timeLimit } from '../runs/record/time-limit';
import type { ParkedRun, Submission } from '../runs/submit/submission';
import { parseArguments } from '../tools/schemas/parse-arguments';
import { defineTool } from '../tools/tool-definition';
import { ToolRegistry } from '../tools/tool-registry';
import { namedModels } from '../../test/support/upstream/named-models';
import { newHead } from '../platform/http/openai/completion-shape';
import { completionOf } from './completions/chat-completion';
import { Agents } from './turns/chat-agents';
import type { ChatEvent } from './stream/chat-event';
import { ChatOptions } from './loop/chat-options';
import { ChatSubmitter } from './background/chat-submitter';
import { ChatSpending } from './loop/chat-spending';
import type { CallMeter } from '../tenants/spend/call-meter';
import { ChatRunner } from './loop/chat-runner';
import { ChatService } from './chat.service';
import { ToolCallInvoker } from './tools/tool-call-invoker';
import { errorDto } from './turns/tool-call';

const tool = defineTool(deepResearch, {});

/** Ends each invocation with the next entry of `ends`, and all further ones with the last. */
class Invocations {
  readonly now = Date.now;
  submitted: Submission[] = [];
  ends: (Partial<RunRecord> | AppError)[] = [];
  /** Called when a wait for a running invocation starts, which then ends with its signal. */
  waiting?: () => void;

  async submit(submission: Submission) {
    parseArguments(tool, submission.arguments);
    const end = this.next();
    if (end instanceof AppError) throw end;
    this.submitted.push(submission);
    const id = `inv_${this.submitted.length}`;
    this.records.set(id, { id, ...end });
    return { record: { id, status: 'queued' }, token: `token_${id}` };
  }

  /** Chats that were put on record. */
  recorded: ParkedRun[] = [];
  recording?: () => void;
  removed: string[] = [];

  async park(_: string, run: ParkedRun) {
    this.recording?.();
    this.recorded.push(run);
    return { record: { id: 'chat_1' }, token: 'token_chat_1' };
  }

  async read(id: string) {
    return { id };
  }

  async share() {}

  async remove({ id }: { id: string }) {
    this.removed.push(id);
  }

  hold(_: string, ms: number, signal: AbortSignal) {
    return timeLimit(ms, signal);
  }

  async isEnding() {
    return false;
  }

  async settled(id: string, signal: AbortSignal) {
    const record = this.records.get(id)!;
    if (record.status === 'running') {
      this.waiting?.();
      if (this.waiting && !signal.aborted) await once(signal, 'abort');
    }
    if (record.id === 'unreadable') throw new Error('Connection is closed.');
    return record;
  }

  private readonly records = new Map<string, Partial<RunRecord>>();
  private next() {
    return this.ends.length > 1 ? this.ends.shift()! : this.ends[0];
  }
}

const REPORT = 'Jajangmyeon came to Incheon with cooks from Shandong.';
const RESEARCH_FAILED = 'deep_research failed. Please retry later.';
const DONE = { status: 'completed', text: REPORT } as const;
const FAILED = {
  status: 'failed',
  text: null,
  error: {
    code: 'upstream_failed',
    message: 'It could not.',
    retryable: true,
  },
} as const;
const REFUSED = errorDto(new AppError('upstream_unauthorized'));
/** Fields without a value in every final reply. */
const NOTHING_MORE = {
  cost: null,
  agent: null,
  contents: null,
  citations: null,
  sources: null,
  guardrail: null,
  required_action: null,
  chat_id: null,
  invocation_token: null,
};
const erase = defineTool(
  {
    name: 'erase',
    description: 'Erases a file.',
    parameters: z.object({ path: z.string() }),
    annotations: { destructiveHint: true },
  },
  {},
);
const ERASE = '[sandbox: call erase {"path": "/tmp/a"}]';
const QUESTION = 'Research the history of jajangmyeon';
const TWO_QUESTIONS = 'Research in detail:\n- kimchi\n- sourdough';

describe(ChatService.name, () => {
  let sandbox: SandboxUnderTest;
  let upstream: UpstreamClient;
  let invocations: Invocations;
  let chat: ChatService;
  let guardrails: Guardrails;
  let registry: ToolRegistry;
  let client: AbortController;
  let shutdown: AbortController;
  let warnings: jest.SpyInstance;

  const ask = (message: string, more = {}) =>
    chat.reply(
      { message, ...more },
      { caller: { name: 'alice' } },
      client.signal,
      shutdown.signal,
    );
  const bodies = async () => {
    const { data } = await sandbox.get<{ data: { body: object }[] }>(
      '/sandbox/requests?last=50',
    );
    return data.map(({ body }) => JSON.stringify(body));
  };
  const failLaterTurns = () =>
    sandbox.fault({
      kind: 'status',
      status: 401,
      message: 'secret.internal refused sk-123',
      match: { body: 'function_call_output' },
    });

  beforeAll(async () => {
    sandbox = await sandboxUnderTest();
  });
  beforeEach(async () => {
    await sandbox.reset();
    warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const config = loadConfig({ LITELLM_BASE_URL: sandbox.url });
    registry = new ToolRegistry(config);
    registry.register(tool);
    client = new AbortController();
    shutdown = new AbortController();
    invocations = new Invocations();
    invocations.ends = [DONE];
    upstream = new UpstreamClient(config);
    guardrails = new Guardrails(config);
    const service = invocations as unknown as RunsService;
    const meter = { count: () => undefined } as unknown as CallMeter;
    const agents = new Agents(config, namedModels(config));
    const options = new ChatOptions(config, agents, registry);
    chat = new ChatService(
      new ChatRunner(
        new ModelClient(
          new ResponsesEngine(upstream, config, new LearntModels()),
          new CompletionsEngine(upstream, config, new LearntModels()),
          new LearntModels(),
          config,
        ),
        agents,
        registry,
        // No client of these chats is one that might repeat its request.
        new ToolCallInvoker(service, undefined as never),
        guardrails,
        new ChatSpending(new PriceTable(config), meter),
        config,
      ),
      new ChatSubmitter(service, options),
      guardrails,
      options,
    );
  });
  afterEach(async () => {
    warnings.mockRestore();
    await upstream.onApplicationShutdown();
  });
  afterAll(() => sandbox.close());

  it('answers a greeting without a tool', async () => {
    const reply = await ask('Hello!');
    expect(reply).toEqual({
      content: expect.stringContaining('Hello'),
      message: {
        role: 'assistant',
        contents: [{ type: 'text', text: expect.stringContaining('Hello') }],
      },
      tool_called: false,
      tool_name: null,
      research_summary: null,
      tool_calls: [],
      response_id: expect.stringMatching(/^resp_/),
      usage: expect.objectContaining({ total_tokens: expect.any(Number) }),
      ...NOTHING_MORE,
      status: 'completed',
      error: null,
    });
  });

  it('answers with the research that the model requested', async () => {
    const reply = await ask(QUESTION);
    expect(reply).toMatchObject({
      content: expect.stringContaining('Incheon'),
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: REPORT,
      tool_calls: [
        {
          tool_name: 'deep_research',
          call_id: expect.any(String),
          arguments: { research_question: QUESTION },
          invocation_id: 'inv_1',
          invocation_token: 'token_inv_1',
          status: 'completed',
        },
      ],
    });
    expect(invocations.submitted).toMatchObject([
      { tool: 'deep_research', mode: 'background', caller: { name: 'alice' } },
    ]);
  });

  it('checks functions of the caller as input, and their calls as output', async () => {
    for (const stage of ['input', 'output'] as const)
      guardrails.register({
        name: stage,
        stage,
        check: (text) => text.replaceAll('secret', `[${stage}]`),
      });
    const functions = [{ name: 'mine', description: 'A secret function.' }];
    // The escape hides the word from the first guardrail.
    const call = String.raw`[sandbox: call mine {"word":"sec\u0072et"}]`;
    const { message, continuation } = await ask(call, { functions });
    expect((await bodies())[0]).toContain('A [input] function.');
    const calls = [
      {
        type: 'function',
        id: expect.any(String),
        function: { name: 'mine', arguments: { word: '[output]' } },
      },
    ];
    expect(message).toMatchObject({ role: 'assistant', tool_calls: calls });
    expect(continuation).toMatchObject([
      { role: 'assistant', tool_calls: calls },
    ]);
  });

  it('passes the system prompt to research and never to the chat model', async () => {
    const system_prompt = 'Speak like a pirate.';
    await ask(QUESTION, { system_prompt });
    expect(invocations.submitted[0].arguments).toMatchObject({ system_prompt });
    expect((await bodies()).join()).not.toContain('pirate');
  });

  it('sends no tools to the model when none may be called', async () => {
    const reply = await ask(QUESTION, { auto_tool_call: false });
    expect(reply.tool_called).toBe(false);
    expect((await bodies()).join()).not.toContain('"tools"');
  });

  it('lets the model correct an invalid call', async () => {
    await ask(
      '[sandbox: call deep_research {"research_question": ""}] [sandbox: call deep_research {oops] [sandbox: call wikipedia {}]',
    );
    const outputs = (await bodies())[1];
    expect(outputs).toContain('INVALID_ARGUMENTS');
    expect(outputs).toContain('research_question: ');
    expect(outputs).toContain('one JSON object');
    expect(outputs).toContain('UNKNOWN_TOOL');
    expect(outputs).toContain('There is: deep_research.');
  });

  it('reports no tool call if no tool ran', async () => {
    const reply = await ask('[sandbox: call wikipedia {"page": "Kimchi"}]');
    expect(reply).toMatchObject({
      tool_called: false,
      tool_name: null,
      research_summary: null,
      tool_calls: [
        {
          tool_name: 'wikipedia',
          arguments: { page: 'Kimchi' },
          invocation_id: null,
          invocation_token: null,
          status: null,
        },
      ],
    });
    expect(reply).toMatchObject({ status: 'completed', error: null });
  });

  it.each([
    ['if it fails', FAILED, FAILED.error, RESEARCH_FAILED],
    [
      'if it fails in a way that stays',
      { ...FAILED, error: REFUSED },
      REFUSED,
      'deep_research failed. The model endpoint refused the credentials.',
    ],
    [
      'if it was cancelled',
      { status: 'cancelled', error: null },
      errorDto(new AppError('cancelled')),
      'deep_research failed. The invocation was cancelled.',
    ],
    [
      'if it has no report',
      { status: 'completed', text: '' },
      errorDto(new AppError('empty_output')),
      RESEARCH_FAILED,
    ],
  ] as const)(
    'answers at once that research failed %s, and why',
    async (_, end: Partial<RunRecord>, error, sentence) => {
      invocations.ends = [end];
      const reply = await ask(QUESTION);
      expect(reply).toMatchObject({
        content: sentence,
        message: null,
        tool_called: true,
        tool_name: 'deep_research',
        research_summary: sentence,
        tool_calls: [{ invocation_id: 'inv_1', status: end.status, error }],
        status: 'failed',
        error,
      });
      expect(await bodies()).toHaveLength(1);
    },
  );

  it.each(['capacity_exceeded', 'queue_unavailable'] as const)(
    'answers that research failed when it is refused with %s',
    async (code) => {
      invocations.ends = [new AppError(code)];
      const reply = await ask(QUESTION);
      expect(reply).toMatchObject({
        content: RESEARCH_FAILED,
        tool_called: true,
        research_summary: RESEARCH_FAILED,
        tool_calls: [{ invocation_id: null, status: null, error: { code } }],
        status: 'failed',
        error: { code, retryable: true },
      });
      expect(warnings.mock.calls).toEqual([
        [`A call of deep_research failed: ${code}`],
      ]);
    },
  );

  it('sends a failure to the model when other research succeeded', async () => {
    invocations.ends = [FAILED, DONE];
    const reply = await ask(TWO_QUESTIONS);
    expect(reply).toMatchObject({
      content: expect.stringContaining('Incheon'),
      research_summary: REPORT,
      tool_calls: [
        { status: 'failed', error: FAILED.error },
        { status: 'completed', error: null },
      ],
      status: 'completed',
      error: null,
    });
    expect((await bodies())[1]).toContain('TOOL_FAILED');
  });

  it('joins the reports of several research calls', async () => {
    const reply = await ask(TWO_QUESTIONS);
    expect(reply.research_summary).toBe(`${REPORT}\n\n${REPORT}`);
    expect(reply.tool_calls.map((call) => call.arguments)).toMatchObject([
      { research_question: 'kimchi' },
      { research_question: 'sourdough' },
    ]);
  });

  it('runs an equal call once, however often the model repeats it', async () => {
    const call =
      '[sandbox: call deep_research {"research_question": "kimchi"}]';
    const reply = await ask(`${call} ${call}`);
    const [first, second] = reply.tool_calls;
    expect(second.call_id).not.toBe(first.call_id);
    expect(second.invocation_id).toBe(first.invocation_id);
    expect(reply.research_summary).toBe(REPORT);
  });

  it('sends the model why a report is incomplete', async () => {
    const error = { ...FAILED.error, message: 'The time limit passed.' };
    invocations.ends = [{ status: 'incomplete', text: REPORT, error }];
    const reply = await ask(QUESTION);
    expect(reply.research_summary).toBe(REPORT);
    expect(reply.tool_calls[0]).toMatchObject({ status: 'incomplete', error });
    expect((await bodies())[1]).toContain(
      'ended early: The time limit passed.',
    );
  });

  it('says where to read research that is still running, without another turn', async () => {
    invocations.ends = [{ status: 'running' }];
    const reply = await ask(QUESTION);
    expect(reply).toMatchObject({
      content: expect.stringContaining('/api/v1/tool-invocations/inv_1'),
      tool_called: true,
      tool_name: 'deep_research',
      research_summary: null,
      tool_calls: [{ status: 'running', invocation_token: 'token_inv_1' }],
    });
    expect(await bodies()).toHaveLength(1);
  });

  it('returns the finished reports beside research that is still running', async () => {
    invocations.ends = [DONE, { status: 'running' }];
    const reply = await ask(TWO_QUESTIONS);
    expect(reply.research_summary).toBe(REPORT);
    expect(reply.content).toBe(
      `${REPORT}\n\ndeep_research is not finished yet and continues. Read it later at /api/v1/tool-invocations/inv_2.`,
    );
  });

  it('answers with the results so far when the process shuts down', async () => {
    invocations.ends = [{ status: 'running' }];
    invocations.waiting = () => shutdown.abort();
    const reply = await ask(QUESTION);
    expect(reply.content).toContain('/api/v1/tool-invocations/inv_1');
    expect(reply.tool_calls[0].status).toBe('running');
  });

  it('stops waiting when the client disconnects, and leaves the research running', async () => {
    invocations.ends = [{ status: 'running' }];
    invocations.waiting = () => client.abort();
    await expect(ask(QUESTION)).rejects.toMatchObject({ name: 'AbortError' });
    expect(invocations.submitted).toHaveLength(1);
    expect(await bodies()).toHaveLength(1);
  });

  it('reports research as running if its state cannot be read', async () => {
    invocations.ends = [{ id: 'unreadable' }];
    const reply = await ask(QUESTION);
    expect(reply.tool_calls[0].status).toBe('queued');
    expect(reply.content).toContain('continues');
  });

  it('reports the failure of the first turn', async () => {
    await sandbox.fault({ kind: 'status', status: 401, message: 'sk-123' });
    expect(await ask(QUESTION)).toEqual({
      content:
        'The chat request failed. The model endpoint refused the credentials.',
      message: null,
      tool_called: false,
      tool_name: null,
      research_summary: null,
      tool_calls: [],
      response_id: null,
      usage: null,
      ...NOTHING_MORE,
      status: 'failed',
      error: {
        code: 'upstream_unauthorized',
        message: expect.any(String),
        retryable: false,
      },
    });
    expect(warnings.mock.calls).toEqual([
      ['A turn of the model failed: upstream_unauthorized'],
    ]);
  });

  it('answers with the report when the turn after it fails', async () => {
    await failLaterTurns();
    const reply = await ask(QUESTION);
    expect(reply).toMatchObject({
      content: REPORT,
      tool_called: true,
      research_summary: REPORT,
    });
    expect(JSON.stringify(reply)).not.toMatch(/secret|sk-123/);
  });

  it('says why a report ended early where it is the answer itself, as one that is cut off', async () => {
    await failLaterTurns();
    const message = 'The limit max_tokens was reached.';
    const error = { ...FAILED.error, message };
    const place = { start_index: 0, end_index: 11 };
    const citations = [{ url: 'https://a.example/', title: 'A', ...place }];
    invocations.ends = [
      { status: 'incomplete', text: REPORT, error, citations },
    ];
    const reply = await ask(QUESTION);
    expect(reply).toMatchObject({
      status: 'completed',
      content: `[This ended early: ${message}]\n\n${REPORT}`,
      truncated: true,
      research_summary: REPORT,
      citations,
    });
    const { choices } = completionOf(reply, newHead('gpt-4o'));
    expect(choices[0].finish_reason).toBe('length');
    const [{ url_citation: cited }] = choices[0].message.annotations!;
    const { start_index, end_index } = cited;
    expect(reply.content!.slice(start_index, end_index)).toBe('Jajangmyeon');
  });

  it('reports the failure of a later turn if no tool ran', async () => {
    await failLaterTurns();
    const reply = await ask('[sandbox: call wikipedia {}]');
    expect(reply).toMatchObject({
      content:
        'The chat request failed. The model endpoint refused the credentials.',
      tool_called: false,
      research_summary: null,
    });
  });

  it('rejects when the client disconnects, and starts no call', async () => {
    await sandbox.fault({ kind: 'hang' });
    const reply = ask(QUESTION);
    while ((await bodies()).length === 0);
    client.abort();
    await expect(reply).rejects.toBe(client.signal.reason);
    expect(invocations.submitted).toEqual([]);
  });

  describe('that needs a decision of the user', () => {
    beforeEach(() => registry.register(erase));

    const stream = async (message: string) => {
      const events: ChatEvent[] = [];
      const work = chat.stream(
        { message },
        { caller: { name: 'alice' } },
        client.signal,
        shutdown.signal,
      );
      await work((event) => events.push(event));
      return events;
    };

    it('gets a record, and returns its id and token', async () => {
      const reply = await ask(ERASE);
      expect(reply).toMatchObject({
        content: 'This needs your approval: erase.',
        status: 'requires_action',
        tool_called: false,
        chat_id: 'chat_1',
        invocation_token: 'token_chat_1',
        required_action: {
          approvals: [{ tool_name: 'erase', arguments: { path: '/tmp/a' } }],
          questions: [],
        },
      });
      const [{ awaiting }] = invocations.recorded;
      const [{ call_id }] = reply.required_action!.approvals;
      expect(awaiting).toMatchObject({
        keys: [call_id],
        data: reply.required_action,
      });
      expect(invocations.submitted).toEqual([]);
    });

    it.each([
      ['capacity_exceeded', new AppError('capacity_exceeded')],
      ['internal_error', new Error('redis.internal')],
    ])('reports %s if it cannot get a record', async (code, error) => {
      const errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
      invocations.recording = () => {
        throw error;
      };
      await expect(ask(ERASE)).rejects.toBe(error);
      const events = await stream(ERASE);
      expect(events).toMatchObject([{ type: 'error', data: { code } }]);
      expect(JSON.stringify(events)).not.toContain('redis');
      errors.mockRestore();
    });

    it('is deleted if its client disconnects before the reply', async () => {
      invocations.recording = () => client.abort();
      await expect(ask(ERASE)).rejects.toMatchObject({ name: 'AbortError' });
      expect(invocations.removed).toEqual(['chat_1']);
    });

    it('passes the required action to output guardrails, but not its ids', async () => {
      const shown: string[] = [];
      guardrails.register({
        name: 'hide',
        stage: 'output',
        check: (text) => {
          shown.push(text);
          return text.replace('/tmp/a', '[hidden]');
        },
      });
      const { required_action } = await ask(ERASE);
      const [{ awaiting }] = invocations.recorded;
      expect(required_action!.approvals[0].arguments).toEqual({
        path: '[hidden]',
      });
      expect(awaiting.data).toEqual(required_action);
      expect(shown.sort()).toEqual([
        '/tmp/a',
        'This needs your approval: erase.',
      ]);
    });
  });
});

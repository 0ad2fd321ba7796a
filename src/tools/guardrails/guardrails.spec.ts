import { Logger } from '@nestjs/common';
import { loadConfig } from '../../config/load-config';
import { createLog } from '../../platform/observability/log';
import { PinoLoggerService } from '../../platform/observability/pino-logger.service';
import type { Checker, GuardrailContext, Stage } from './guardrail';
import { GuardrailTripped } from './tripwire';
import { Guardrails } from './guardrails';
import { Tripwire } from './tripwire';

const SECRET = 'the secret of the user';
const never = () => new Promise<never>(() => undefined);

describe(Guardrails.name, () => {
  let guardrails: Guardrails;
  let disconnected: AbortController;
  let context: GuardrailContext;
  let log: string;

  beforeEach(() => {
    log = '';
    const write = (line: string): void => void (log += line);
    Logger.overrideLogger(new PinoLoggerService(createLog('info', { write })));
    guardrails = new Guardrails(loadConfig({}));
    disconnected = new AbortController();
    context = {
      tenant: 'alice',
      consulted: new Set(),
      signal: disconnected.signal,
    };
  });
  afterEach(() => {
    Logger.overrideLogger(false);
    jest.useRealTimers();
  });

  const given = (
    stage: Stage,
    name: string,
    check: Checker['check'],
    tools?: string[],
  ) => guardrails.register({ name, stage, check, ...(tools && { tools }) });
  const fault = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => error,
    );

  it('passes each guardrail the output of the one before', async () => {
    given('input', 'first', (text) => text.replace('a', 'b'));
    given('input', 'second', async (text) => text.replace('b', 'c'));
    expect(await guardrails.input('a', context)).toBe('c');
    expect(await guardrails.output('a', context)).toBe('a');
  });

  it('runs the built-in guardrails first', async () => {
    const RELAY_GUARDRAILS = 'pii:redact,citations:redact';
    guardrails = new Guardrails(loadConfig({ RELAY_GUARDRAILS }));
    const seen: string[] = [];
    const see = (text: string) => {
      seen.push(text);
      return text;
    };
    given('input', 'mine', see);
    given('output', 'mine', see);
    await guardrails.input('a@b.io https://a.example', context);
    await guardrails.output('a@b.io [x](https://a.example)', context);
    expect(seen).toEqual(['[e-mail] https://a.example', '[e-mail] x']);
  });

  it.each([
    ['pii:refuse', 'input', 'pii'],
    ['pii:refuse', 'output', 'pii'],
    ['citations:refuse', 'output', 'citations'],
  ] as const)(
    'names the built-in guardrail of %s that refused %s',
    async (on, stage, name) => {
      guardrails = new Guardrails(loadConfig({ RELAY_GUARDRAILS: on }));
      const text = 'a@b.io https://a.example';
      expect(await fault(guardrails[stage](text, context))).toMatchObject({
        name,
        stage,
      });
    },
  );

  it('maps every text of a conversation, but no label, name or image', async () => {
    given('input', 'shout', (text) => text.toUpperCase());
    const image = { data: 'aGk=', mime_type: 'image/png' };
    const conversation = [
      { role: 'system', contents: [{ type: 'text', text: 'b' }], n: 1 },
      {
        id: 'x',
        role: 'user',
        name: 'kim',
        contents: [
          { type: 'image', image },
          { type: 'image', image: { url: 'data:image/png;base64,aGk=' } },
          { type: 'image', image: { url: 'https://a.example' } },
          { type: 'value', value: { type: 'a', data: [null, true, ['b']] } },
        ],
      },
      {
        role: 'assistant',
        contents: [],
        thinking: 'c',
        tool_calls: [
          {
            type: 'function',
            id: 'call',
            function: { name: 'find', arguments: { name: 'd', role: 'e' } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call', contents: [] },
    ];
    const before = structuredClone(conversation);
    const after = await guardrails.input(conversation, context);
    expect(conversation).toEqual(before);
    expect(after).toEqual([
      { role: 'system', contents: [{ type: 'text', text: 'B' }], n: 1 },
      {
        id: 'x',
        role: 'user',
        name: 'kim',
        contents: [
          { type: 'image', image },
          { type: 'image', image: { url: 'data:image/png;base64,aGk=' } },
          { type: 'image', image: { url: 'HTTPS://A.EXAMPLE' } },
          { type: 'value', value: { type: 'A', data: [null, true, ['B']] } },
        ],
      },
      {
        role: 'assistant',
        contents: [],
        thinking: 'C',
        tool_calls: [
          {
            type: 'function',
            id: 'call',
            function: { name: 'find', arguments: { name: 'D', role: 'E' } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call', contents: [] },
    ]);
    expect(after[3]).toBe(conversation[3]);
  });

  it('returns the same object if no text changed', async () => {
    given('input', 'idle', (text) => text);
    const value = { a: ['b', { c: 'd' }], e: null };
    expect(await guardrails.input(value, context)).toBe(value);
  });

  it('treats names that every object inherits as data', async () => {
    given('tool_input', 'shout', (text) => text.toUpperCase(), ['*']);
    const args = JSON.parse(
      '{"__proto__": {"a": "b"}, "toString": "c"}',
    ) as object;
    const after = await guardrails.toolInput('find', args, context);
    expect(JSON.stringify(after)).toBe(
      '{"__proto__":{"a":"B"},"toString":"C"}',
    );
  });

  it('checks the tools that it names, and receives the name of the tool', async () => {
    const seen: unknown[] = [];
    const check: Checker['check'] = (text, { toolName, tenant }) => {
      seen.push([toolName, tenant, text]);
      return `${text}!`;
    };
    given('tool_input', 'args', check, ['find', 'files__*']);
    given('tool_output', 'result', check, ['find']);
    const args = { type: 'a', data: 'b' };
    const changed = { type: 'a!', data: 'b!' };
    expect(await guardrails.toolInput('find', args, context)).toEqual(changed);
    expect(await guardrails.toolInput('files__read', ['c'], context)).toEqual([
      'c!',
    ]);
    expect(await guardrails.toolInput('finder', args, context)).toBe(args);
    const contents = [{ type: 'text', text: 'd' }];
    expect(await guardrails.toolOutput('find', contents, context)).toEqual([
      { type: 'text', text: 'd!' },
    ]);
    expect(await guardrails.toolOutput('files__read', contents, context)).toBe(
      contents,
    );
    expect(seen).toEqual([
      ['find', 'alice', 'a'],
      ['find', 'alice', 'b'],
      ['files__read', 'alice', 'c'],
      ['find', 'alice', 'd'],
    ]);
  });

  it('reports which stages and tools are guarded', () => {
    given('tool_output', 'a', (text) => text, ['files__*']);
    given('tool_input', 'b', (text) => text, ['find']);
    given('input', 'c', (text) => text);
    expect(guardrails.guardsOutput).toBe(false);
    const names = ['find', 'files__read', 'files', 'other'];
    expect(names.map((name) => guardrails.guardsTool(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    given('output', 'd', (text) => text);
    expect(guardrails.guardsOutput).toBe(true);
  });

  it('refuses on a tripwire, and runs no further guardrail', async () => {
    let asked = false;
    given('tool_input', 'fence', () => Promise.reject(new Tripwire('No.')), [
      'find',
    ]);
    given('tool_input', 'next', (text) => ((asked = true), text), ['find']);
    const error = await fault(
      guardrails.toolInput('find', { q: SECRET }, context),
    );
    expect(error).toBeInstanceOf(GuardrailTripped);
    expect(error).toMatchObject({
      name: 'fence',
      stage: 'tool_input',
      toolName: 'find',
      safeText: 'No.',
    });
    expect(asked).toBe(false);
    expect(log).toBe('');
  });

  it.each<[string, Checker['check']]>([
    [
      'throws something else',
      () => {
        throw new Error(SECRET);
      },
    ],
    ['is rejected with nothing', () => Promise.reject(undefined as never)],
    ['returns no text', () => undefined as never],
  ])(
    'refuses if a guardrail %s, without giving the reason',
    async (_, check) => {
      given('output', 'odd', check);
      const error = await fault(guardrails.output(SECRET, context));
      expect(error).toMatchObject({
        name: 'odd',
        stage: 'output',
        safeText: 'This cannot be answered.',
      });
      expect((error as GuardrailTripped).toolName).toBeUndefined();
      expect(JSON.parse(log)).toMatchObject({
        level: 'warn',
        msg: 'The guardrail odd failed (output)',
      });
      expect(log).not.toContain(SECRET);
    },
  );

  it('refuses if a guardrail exceeds ten seconds, and aborts its signal', async () => {
    jest.useFakeTimers();
    let signal: AbortSignal | undefined;
    given('input', 'slow', (_, its) => {
      signal = its.signal;
      return never();
    });
    const waiting = fault(guardrails.input('a', context));
    await jest.advanceTimersByTimeAsync(9_999);
    expect(signal!.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(signal!.aborted).toBe(true);
    expect(await waiting).toMatchObject({ name: 'slow', stage: 'input' });
    expect(log).toContain('The guardrail slow failed (input)');
  });

  it('aborts the other checks of a value when one refuses', async () => {
    const signals: AbortSignal[] = [];
    given('input', 'fence', (text, { signal }) => {
      signals.push(signal);
      return text === 'bad' ? Promise.reject(new Tripwire()) : never();
    });
    const error = await fault(guardrails.input(['a', 'bad', 'b'], context));
    expect(error).toBeInstanceOf(GuardrailTripped);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('clears its timer', async () => {
    jest.useFakeTimers();
    given('input', 'idle', (text) => text);
    await guardrails.input('a', context);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects with the reason of the request signal, not with a refusal', async () => {
    given('input', 'slow', never);
    const waiting = fault(guardrails.input('a', context));
    disconnected.abort(new Error('gone'));
    expect(await waiting).toBe(disconnected.signal.reason);
    expect(await fault(guardrails.input('a', context))).toBe(
      disconnected.signal.reason,
    );
    expect(log).toBe('');
  });
});

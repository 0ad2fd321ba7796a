import type { LogEvent } from '../../../runs/record/run-event';
import { type RunRecord, toRecord } from '../../../runs/record/run-record';
import type { StoredFields } from '../../../runs/record/stored-fields';
import { shownRun } from '../response-request';
import { completionOf, CompletionProjection } from './completion-projection';

const ID = 'inv_019a0000000070008000000000000001';
const TEXT = '# 김치 🥬\n\nKimchi is fermented.';
const CITATION = {
  url: 'https://sandbox.example/en/kimchi',
  title: 'Kimchi',
  start_index: 8,
  end_index: 14,
};
const FOUND = {
  citations: JSON.stringify([CITATION]),
  usage: JSON.stringify({
    input_tokens: 10,
    output_tokens: 20,
    total_tokens: 30,
    tool_calls: 1,
  }),
};
const ANNOTATIONS = [{ type: 'url_citation', url_citation: CITATION }];
const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };

const event = (type: LogEvent['type'], data: object): LogEvent => ({
  seq: 1,
  type,
  status: 'running',
  data: JSON.stringify(data),
});
const step = (detail: string) => event('progress', { kind: 'tool', detail });
const said = (text: string) => event('output_text', { text });

function ended(
  status: string,
  text: string | null,
  fields: StoredFields = {},
): RunRecord {
  const of = { tool: 'deep_research', status, created_ms: '1767225600000' };
  return toRecord(ID, { ...of, mode: 'stream', ...fields }, text);
}

const runOf = (record: RunRecord) =>
  shownRun(record, { args: '{"research_question":"Why?"}' });

/** The data of all frames; what is no JSON as it is. */
function framesOf(events: LogEvent[], record: RunRecord, usage = false) {
  const projection = new CompletionProjection(runOf(record), usage);
  const frames = [
    ...events.flatMap((one) => [...projection.take(one)]),
    ...projection.end(record),
  ];
  return frames.map(
    ({ data, json }) => (data ?? json) as Record<string, never>,
  );
}

describe(CompletionProjection.name, () => {
  it('has the role, the steps as thoughts, the report, its citations, the end and the usage', () => {
    const frames = framesOf(
      [
        event('status', {}),
        step('Plan'),
        said(TEXT.slice(0, 5)),
        step('Late'),
        said(TEXT.slice(5)),
      ],
      ended('completed', TEXT, FOUND),
      true,
    );
    const [done, usage, ...rest] = frames.toReversed();
    expect(done).toBe('[DONE]');
    expect(usage).toMatchObject({ choices: [], usage: USAGE });
    const chunks = rest.reverse() as unknown as {
      id: string;
      choices: { delta: object; finish_reason: string | null }[];
    }[];
    expect(chunks.map(({ choices: [{ delta }] }) => delta)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { reasoning_content: 'Tool: Plan\n\n' },
      { content: TEXT.slice(0, 5) },
      { content: TEXT.slice(5) },
      { annotations: ANNOTATIONS },
      {},
    ]);
    expect(chunks.at(-1)!.choices[0].finish_reason).toBe('stop');
    expect(new Set(chunks.map(({ id }) => id))).toEqual(
      new Set([ID.replace('inv_', 'chatcmpl-')]),
    );
  });

  it('sends text that was no event, and no usage that nobody asked for', () => {
    const frames = framesOf([said('# ')], ended('completed', TEXT));
    const chunks = frames as unknown as {
      choices?: { delta: { content?: string } }[];
    }[];
    const text = chunks
      .map(({ choices }) => choices?.[0].delta.content ?? '')
      .join('');
    expect(text).toBe(TEXT);
    expect(JSON.stringify(frames)).not.toContain('usage');
  });

  it('tells a bounded number of thoughts, however long a run takes', () => {
    const steps = Array.from({ length: 1_000 }, () => step('x'.repeat(2_000)));
    const frames = framesOf(steps, ended('completed', TEXT));
    expect(JSON.stringify(frames).length).toBeLessThan(150_000);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['upstream_response_gone', 'length'],
    ['content_filter', 'content_filter'],
    ['model_refused', 'content_filter'],
    ['research_limit_reached', 'length'],
  ])('ends a report after %s with %s, and says why', (code, reason) => {
    const record = ended('incomplete', TEXT, { error_code: code });
    const sonde = { error: { code } };
    const last = framesOf([], record).at(-2);
    expect(last).toMatchObject({ choices: [{ finish_reason: reason }], sonde });
    expect(completionOf(runOf(record), record)).toMatchObject({
      choices: [{ finish_reason: reason, message: { content: TEXT } }],
      sonde,
    });
  });

  it.each([
    ['failed', null, 'upstream_failed'],
    ['failed', 'Half a report', 'upstream_failed'],
    ['cancelled', 'Half a report', 'cancelled'],
    ['incomplete', ' ', 'research_timeout'],
    ['completed', null, 'internal_error'],
  ])(
    'ends %s with the text %j in the error %s, never as an answer',
    (status, text, code) => {
      const fields = status === 'completed' ? {} : { error_code: code };
      const record = ended(status, text, fields);
      const frames = framesOf(text ? [said(text)] : [], record);
      expect(frames.at(-1)).toMatchObject({ error: { code } });
      expect(JSON.stringify(frames)).not.toMatch(/DONE|"finish_reason":"/);
      expect(() => completionOf(runOf(record), record)).toThrow(
        expect.objectContaining({ code }) as Error,
      );
    },
  );

  it('ends the stream of a run that is deleted with an error', () => {
    const run = runOf(ended('completed', TEXT));
    const frames = [...new CompletionProjection(run, false).gone()];
    expect(frames).toMatchObject([
      { data: { error: { code: 'response_not_found' } } },
    ]);
  });
});

describe(completionOf.name, () => {
  it('is the report with its citations and usage', () => {
    const record = ended('completed', TEXT, FOUND);
    expect(completionOf(runOf(record), record)).toEqual({
      id: ID.replace('inv_', 'chatcmpl-'),
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'sonde-research',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            refusal: null,
            content: TEXT,
            annotations: ANNOTATIONS,
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: USAGE,
    });
  });
});

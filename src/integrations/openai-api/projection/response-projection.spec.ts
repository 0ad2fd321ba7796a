import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { OpenAiSchemas } from '../../../../test/support/openai/openai-schemas';
import type { LogEvent } from '../../../runs/record/run-event';
import { type RunRecord, toRecord } from '../../../runs/record/run-record';
import type { StoredFields } from '../../../runs/record/stored-fields';
import { shownRun } from '../response-request';
import { ResponseProjection } from './response-projection';

const GOLDEN = join(
  __dirname,
  '../../../../test/support/openai/golden-events.jsonl',
);
const ID = 'inv_019a0000000070008000000000000001';
const TEXT = '# 김치 🥬\n\nKimchi is fermented.';
const CREATED = Date.UTC(2026, 0, 1);

const progress = (kind: string, detail: string) =>
  ['progress', 'running', { kind, detail }] as const;
const said = (text: string) => ['output_text', 'running', { text }] as const;
const QUEUED = ['status', 'queued', { mode: 'stream' }] as const;
const RUNNING = ['status', 'running', {}] as const;
const STEPS = [
  progress('waiting', 'The model runs as many as it may'),
  RUNNING,
  progress('reasoning', 'What is asked'),
  progress('web_search', 'history of kimchi'),
  progress('open_page', 'https://sandbox.example/en/kimchi'),
  progress('find_in_page', 'salt'),
  progress('file_search', 'kimchi in the archive'),
  progress('tool', 'Private sources'),
];
const REPORT = [said(TEXT.slice(0, 5)), said(TEXT.slice(5))];

type Entry = readonly [type: string, status: string, data: object];

function log(...entries: Entry[]): LogEvent[] {
  return entries.map(([type, status, data], index) => ({
    seq: index + 1,
    type: type as LogEvent['type'],
    status: status as LogEvent['status'],
    data: JSON.stringify(data),
  }));
}

function ended(
  status: string,
  fields: StoredFields = {},
  text: string | null = null,
): RunRecord {
  const of = {
    tool: 'deep_research',
    mode: 'stream',
    status,
    created_ms: String(CREATED),
    completed_ms: String(CREATED + 60_000),
    ...fields,
  };
  return toRecord(ID, of, text);
}

const COMPLETED = ended(
  'completed',
  {
    citations: JSON.stringify([
      {
        url: 'https://sandbox.example/en/kimchi',
        title: 'Kimchi',
        start_index: 8,
        end_index: 14,
      },
      {
        url: 'https://sandbox.example/en/salt',
        title: '',
        start_index: 0,
        end_index: 4,
      },
    ]),
    sources: JSON.stringify([
      { url: 'https://sandbox.example/en/kimchi', title: 'Kimchi' },
    ]),
    usage: JSON.stringify({
      input_tokens: 10,
      output_tokens: 20,
      total_tokens: 30,
      tool_calls: 1,
    }),
  },
  TEXT,
);

describe(ResponseProjection.name, () => {
  let schemas: OpenAiSchemas;

  beforeAll(() => {
    schemas = OpenAiSchemas.generate();
  }, 120_000);

  const project = (
    events: LogEvent[],
    record: RunRecord,
    request?: object,
  ): { events: ResponseStreamEvent[]; response: Response } => {
    const base = shownRun(record, { args: '{"research_question":"Why?"}' });
    const run = { ...base, request: { ...base.request, ...request } };
    const projection = new ResponseProjection(run);
    const all = events.flatMap((event) => [...projection.take(event)]);
    const end = projection.end(record);
    let step = end.next();
    for (; !step.done; step = end.next()) all.push(step.value);
    for (const event of all) schemas.expectEvent(event);
    schemas.expectResponse(step.value);
    expect(all.map((event) => event.sequence_number)).toEqual([...all.keys()]);
    return { events: all, response: step.value };
  };
  const typesOf = (events: ResponseStreamEvent[]) =>
    events.map(({ type }) => type.replace('response.', ''));

  it('gives the same events for the same log, those of the golden file', () => {
    const given = log(QUEUED, ...STEPS, ...REPORT);
    const { events } = project(given, COMPLETED, { background: true });
    const golden = readFileSync(GOLDEN, 'utf8').trim().split('\n');
    expect(events.map((event) => JSON.stringify(event))).toEqual(golden);
  });

  it('has the report as its last item, whole, with a link for every citation', () => {
    const late = progress('web_search', 'too late');
    const { response, events } = project(
      log(QUEUED, ...STEPS, REPORT[0], late, REPORT[1]),
      COMPLETED,
    );
    const last = response.output.at(-1)!;
    const part = last.type === 'message' && last.content[0];
    expect(part && part.type === 'output_text' && part.text).toBe(TEXT);
    expect(part && part.type === 'output_text' && part.annotations).toEqual([
      expect.objectContaining({ title: 'Kimchi' }),
      expect.objectContaining({ title: 'sandbox.example' }),
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response,
    });
    expect(response.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'web_search_call',
      'web_search_call',
      'web_search_call',
      'file_search_call',
      'message',
    ]);
  });

  it('adds the text that the log does not have', () => {
    const { events } = project(log(QUEUED, RUNNING, REPORT[0]), COMPLETED);
    const deltas = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? [event.delta] : [],
    );
    expect(deltas).toEqual([TEXT.slice(0, 5), TEXT.slice(5)]);
  });

  it('begins as in progress unless it runs in the background', () => {
    const { events } = project(log(QUEUED, RUNNING), COMPLETED);
    const [created, running] = events;
    expect(typesOf([created, running])).toEqual(['created', 'in_progress']);
    expect(created).toMatchObject({ response: { status: 'in_progress' } });
  });

  it('fails with the code in the message, and closes what it had begun', () => {
    const fields = { error_code: 'upstream_overloaded' };
    const record = ended('failed', fields);
    const { events, response } = project(
      log(QUEUED, RUNNING, REPORT[0]),
      record,
    );
    expect(typesOf(events).slice(-4)).toEqual([
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'failed',
    ]);
    expect(response).toMatchObject({
      status: 'failed',
      error: {
        code: 'server_error',
        type: 'server_error',
        message: 'upstream_overloaded: The model is overloaded.',
      },
      output: [{ type: 'message', status: 'incomplete' }],
    });
  });

  it('ends a cancelled run with a failure, which SDKs raise', () => {
    const record = ended('cancelled', { error_code: 'cancelled' });
    const { events } = project(log(QUEUED), record);
    expect(typesOf(events)).toEqual(['created', 'failed']);
    expect(events.at(-1)).toMatchObject({
      response: { status: 'cancelled', error: { code: 'server_error' } },
    });
  });

  it.each([
    ['max_output_tokens', 'max_output_tokens'],
    ['research_timeout', 'max_output_tokens'],
    ['research_limit_reached', 'max_output_tokens'],
    ['upstream_quota_exceeded', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
    ['model_refused', 'content_filter'],
  ])('shows the early end by %s as incomplete by %s', (error_code, reason) => {
    const status = 'incomplete';
    const record = ended('incomplete', { error_code }, TEXT);
    const { events, response } = project(
      log(QUEUED, RUNNING, ...REPORT),
      record,
    );
    expect(events.at(-1)!.type).toBe(`response.${status}`);
    expect(response).toMatchObject({
      status,
      incomplete_details: { reason },
      error: null,
      sonde: { error: { code: error_code } },
      output: [{ type: 'message', status }],
    });
  });

  it('lists the consulted pages at the last search if they are asked for', () => {
    const include = ['web_search_call.action.sources'];
    const { response } = project(log(QUEUED, ...STEPS, ...REPORT), COMPLETED, {
      include,
    });
    expect(response.output[1]).toMatchObject({
      action: {
        type: 'search',
        sources: [{ type: 'url', url: 'https://sandbox.example/en/kimchi' }],
      },
    });
  });
});

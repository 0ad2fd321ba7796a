import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calling } from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import { preload } from '../../support/processes/preload';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { Receiver } from '../../support/receiver';
import type { ReceivedSpan } from '../../support/traces/otlp-reader';
import { OtlpReceiver } from '../../support/traces/otlp-receiver';
import { until } from '../../support/until';

const QUESTION = 'Research the history of kimchi in detail. MARKER-QUESTION';
const KEY = 'sk-upstream-secret';
const RUN = 'execute_tool deep_research';
const AGENTS = {
  start: 'guide',
  agents: {
    guide: { instructions: 'Guide.', handoffs: ['scribe'] },
    scribe: { instructions: 'Write.', tools: ['deep_research'] },
  },
};
const SERVER = 2;
const CLIENT = 3;

const newParent = () => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});
const hasAll = (line: string, ...texts: string[]): boolean =>
  texts.every((text) => line.includes(text));
const namesOf = (spans: ReceivedSpan[]): Set<string> =>
  new Set(spans.map(({ name }) => name));

describe('the traces of an installation', () => {
  let receiver: OtlpReceiver;
  let stand: Stand;
  let client: Client;
  let webhooks: Receiver;

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    webhooks = await Receiver.start();
    stand = await Stand.start({
      searchesSandbox: true,
      workers: 2,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%20test',
        OTEL_SEMCONV_STABILITY_OPT_IN: 'http,gen_ai_latest_experimental',
        RELAY_RESEARCH_ENGINE: 'agent',
        RELAY_WEBHOOK_SECRETS: `*:whsec_${'s'.repeat(32)}`,
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
        RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      },
    });
    client = stand.client();
  });
  afterAll(async () => {
    await stand.stop();
    await receiver.stop();
    await webhooks.stop();
  });

  it('have a chat with its research as one, below the span of its caller', async () => {
    const { traceId, spanId } = newParent();
    const { body } = await client.post(
      '/api/v1/chat',
      { message: QUESTION },
      { traceparent: `00-${traceId}-${spanId}-01` },
    );
    expect(body.status).toBe('completed');
    const of = (name: string) => (span: ReceivedSpan) =>
      span.traceId === traceId && span.name === name;
    const request = await receiver.span(of('POST /api/v1/chat'));
    const run = await receiver.span(of(RUN));
    expect(request).toMatchObject({
      kind: SERVER,
      parentId: spanId,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/chat',
        'http.response.status_code': 200,
      },
      resource: {
        'service.name': 'sonde',
        'deployment.environment.name': 'a test',
      },
    });
    expect(run).toMatchObject({
      parentId: request.spanId,
      failed: false,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'deep_research',
        'sonde.run.kind': 'deep_research',
        'sonde.run.engine': 'agent',
        'sonde.run.status': 'completed',
        'sonde.run.crashes': 0,
      },
    });
    await until('the spans of all steps', (saw) => {
      const names = saw(namesOf(receiver.of(traceId)));
      return [
        'submit deep_research',
        'queue',
        'retrieval searxng',
        'read page',
        'chat sandbox-plain',
      ].every((name) => names.has(name));
    });
    const spans = receiver.of(traceId);
    expect(receiver.orphans(traceId).map(({ parentId }) => parentId)).toEqual([
      spanId,
    ]);
    const below = spans.filter(({ parentId }) => parentId === run.spanId);
    expect(namesOf(below)).toContain('read page');
    expect(
      below.every(({ startMs, endMs }) => startMs >= run.startMs && endMs > 0),
    ).toBe(true);
    const calls = spans.filter(({ name }) => name.startsWith('chat '));
    expect(
      calls.filter(({ parentId }) => parentId === request.spanId),
    ).toHaveLength(2);
    for (const call of calls)
      expect(call).toMatchObject({
        kind: CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.usage.input_tokens': expect.any(Number),
        },
      });
    const [{ headers }] = await stand.requests(1);
    expect(headers.traceparent).toMatch(
      new RegExp(`^00-${traceId}-\\w{16}-01$`),
    );
    expect(calls.map((call) => call.spanId)).toContain(
      headers.traceparent.split('-')[2],
    );
    const logged = (line: string): boolean =>
      line.includes(`"trace_id":"${traceId}"`);
    for (const services of [stand.apis, stand.workers])
      await until('a log line with the id of the trace', (saw) =>
        saw(services.map(({ output }) => output)).some((output) =>
          output.split('\n').some(logged),
        ),
      );
    await until('the log line of the request with the id of the trace', (saw) =>
      saw(stand.apis[0].output)
        .split('\n')
        .some(
          (line) => logged(line) && line.includes('"route":"/api/v1/chat"'),
        ),
    );
  });

  it('have a run as one whose worker is killed and which another continues', async () => {
    await stand.fault({
      kind: 'hang',
      count: 0,
      match: { body: 'research_outline' },
    });
    const { traceId, spanId } = newParent();
    const { body } = await client.research(
      { research_question: QUESTION, background: true },
      { traceparent: `00-${traceId}-${spanId}-01` },
    );
    const id = body.invocation_id;
    const before = await receiver.span(
      (span) => span.traceId === traceId && span.name === 'read page',
    );
    expect(receiver.of(traceId).filter(({ name }) => name === RUN)).toEqual([]);
    const holder = stand.workers.find(({ output }) =>
      output.split('\n').some((line) => hasAll(line, 'Run started', id)),
    )!;
    stand.workers = stand.workers.filter((worker) => worker !== holder);
    await holder.stop('SIGKILL');
    await stand.expireLeases({ id });
    await stand.clearFaults();
    const record = await waitForEnd(
      client.invocation(id, body.invocation_token),
    );
    expect(record.status).toBe('completed');
    const run = await receiver.span(
      (span) => span.traceId === traceId && span.name === RUN,
    );
    expect(run.attributes['sonde.run.crashes']).toBe(1);
    expect(run.spanId).toBe(before.parentId);
    const instance = 'service.instance.id';
    await until('a span of the worker that continues the run', (saw) =>
      saw(receiver.of(traceId)).some(
        ({ parentId, resource }) =>
          parentId === run.spanId &&
          resource[instance] !== before.resource[instance],
      ),
    );
    await until('the span of the request', (saw) =>
      saw(namesOf(receiver.of(traceId))).has('POST /api/v1/tool-invocations'),
    );
    const spans = receiver.of(traceId);
    expect(spans.filter(({ name }) => name === RUN)).toHaveLength(1);
    expect(receiver.orphans(traceId).map(({ parentId }) => parentId)).toEqual([
      spanId,
    ]);
    expect(run.startMs).toBeLessThanOrEqual(before.startMs);
  });

  it('begin anew where the caller names no valid one', async () => {
    const { traceId, spanId } = newParent();
    const none = '0'.repeat(32);
    const bad = [
      `00-${none}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${traceId.slice(1)}-${spanId}-01`,
      `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
      'x'.repeat(8_000),
    ];
    const isRoot = ({ name, parentId }: ReceivedSpan): boolean =>
      name === 'GET /api/v1/tools' && parentId === '';
    for (const traceparent of bad) {
      const { status } = await client.get('/api/v1/tools', { traceparent });
      expect(status).toBe(200);
    }
    const roots = () => receiver.spans.filter(isRoot);
    await until(
      `${bad.length} root spans`,
      (saw) => saw(roots()).length === bad.length,
    );
    const ids = new Set(roots().map((span) => span.traceId));
    expect(ids.size).toBe(bad.length);
    expect(receiver.of(traceId)).toEqual([]);
    expect(ids.has(none)).toBe(false);
  });

  it('have no question, report, key, token, address or URL in them', async () => {
    const { body } = await client.research(
      { research_question: QUESTION },
      {},
      { webhook: { url: `${webhooks.url}/MARKER` } },
    );
    const run = await receiver.span(
      ({ name, attributes }) =>
        name === RUN && attributes['sonde.run.id'] === body.invocation_id,
    );
    const sent = await receiver.span(
      ({ name, parentId }) =>
        name === 'POST webhook' && parentId === run.spanId,
    );
    const [{ headers }] = webhooks.of(body.invocation_id);
    expect(headers.traceparent).toBe(`00-${run.traceId}-${sent.spanId}-01`);
    const secrets = [
      KEY,
      'MARKER',
      'http://',
      'history',
      new URL(stand.sandbox.url).host,
      body.invocation_token,
      body.output_text.slice(0, 40),
    ];
    for (const one of receiver.bodies)
      for (const secret of secrets) expect(one.includes(secret)).toBe(false);
  });

  it('have no GenAI names without the opt-in, and are sent before a process ends', async () => {
    const api = await stand.addApi({
      OTEL_SERVICE_NAME: 'plain',
      OTEL_BSP_SCHEDULE_DELAY: '60000',
      OTEL_SEMCONV_STABILITY_OPT_IN: '',
    });
    const plain = stand.client(stand.apis.length - 1);
    await plain.post('/api/v1/chat', { message: 'Hello' });
    expect(await api.stop()).toBe(0);
    stand.apis.pop();
    const spans = receiver.spans.filter(
      ({ resource }) => resource['service.name'] === 'plain',
    );
    expect(spans.some(({ name }) => name.startsWith('chat '))).toBe(true);
    expect(
      spans.flatMap(({ attributes }) => Object.keys(attributes)).join(),
    ).not.toContain('gen_ai');
  });

  it('have the part of each agent of a chat, which ends when it hands over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traces-'));
    const RELAY_AGENTS_CONFIG = join(folder, 'agents.json');
    writeFileSync(RELAY_AGENTS_CONFIG, JSON.stringify(AGENTS));
    const api = await stand.addApi({ RELAY_AGENTS_CONFIG });
    const { traceId, spanId } = newParent();
    const { body } = await stand
      .client(stand.apis.length - 1)
      .post(
        '/api/v1/chat',
        { message: `${QUESTION} ${calling('transfer_to_scribe', {})}` },
        { traceparent: `00-${traceId}-${spanId}-01` },
      );
    expect(body).toMatchObject({ status: 'completed', agent: 'scribe' });
    const named = (name: string) =>
      receiver.span((span) => span.traceId === traceId && span.name === name);
    const request = await named('POST /api/v1/chat');
    const partOf = async (agent: string) => {
      const part = await named(`invoke_agent ${agent}`);
      expect(part).toMatchObject({
        parentId: request.spanId,
        failed: false,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': agent,
        },
      });
      return part;
    };
    const guide = await partOf('guide');
    const scribe = await partOf('scribe');
    expect(guide.endMs).toBeLessThanOrEqual(scribe.startMs);
    const below = ({ spanId: id }: ReceivedSpan) =>
      namesOf(receiver.of(traceId).filter(({ parentId }) => parentId === id));
    expect(below(guide)).toEqual(new Set(['chat gpt-4o']));
    expect(below(scribe)).toEqual(
      new Set(['chat gpt-4o', 'submit deep_research']),
    );
    await api.stop();
    stand.apis.pop();
    rmSync(folder, { recursive: true });
  });

  it('are not sent where the sampler is off', async () => {
    const api = await stand.addApi({
      OTEL_SERVICE_NAME: 'off',
      OTEL_TRACES_SAMPLER: 'always_off',
    });
    const off = stand.client(stand.apis.length - 1);
    await off.post('/api/v1/chat', { message: 'Hello' });
    const [{ headers }] = await stand.requests(1);
    expect(headers.traceparent).toMatch(/-00$/);
    expect(await api.stop()).toBe(0);
    stand.apis.pop();
    const services = receiver.spans.map(
      ({ resource }) => resource['service.name'],
    );
    expect(services).not.toContain('off');
  });

  it('need no module of OpenTelemetry while no endpoint is set', async () => {
    const on = await stand.addApi(preload('loaded-modules'));
    expect(on.output).toContain('loads @opentelemetry/api');
    const off = await stand.addApi({
      ...preload('loaded-modules'),
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
    });
    const quiet = stand.client(stand.apis.length - 1);
    const { traceId, spanId } = newParent();
    const { body } = await quiet.post(
      '/api/v1/chat',
      { message: 'Hello' },
      { traceparent: `00-${traceId}-${spanId}-01` },
    );
    expect(body.status).toBe('completed');
    const [{ headers }] = await stand.requests(1);
    // It is passed on as it came.
    expect(headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(await off.stop()).toBe(0);
    expect(off.output).not.toMatch(/loads @opentelemetry|trace_id/);
    expect(receiver.of(traceId)).toEqual([]);
    await on.stop();
    stand.apis.splice(1);
  });

  it('disturb nothing while their receiver is dead, and say so once', async () => {
    const api = await stand.addApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:MARKER@127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    const served = stand.client(stand.apis.length - 1);
    const warning = /The receiver of traces does not take them/g;
    for (let n = 0; n < 3; n += 1) {
      const { status } = await served.get('/api/v1/tools');
      expect(status).toBe(200);
      await api.waitForOutput(/The receiver of traces does not take them/);
    }
    expect(await api.stop()).toBe(0);
    stand.apis.pop();
    expect(api.output.match(warning)).toHaveLength(1);
    expect(api.output).not.toContain('MARKER');
    expect(api.output).not.toMatch(/"level":"(error|fatal)"/);
  });

  it('end a start with one line where their receiver is no URL', async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'MARKER:4318';
    const env = { ...stand.env, OTEL_EXPORTER_OTLP_ENDPOINT };
    const worker = Service.spawn('worker', env);
    expect(await worker.end()).toBe(1);
    expect(worker.output).toBe(
      'OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL. Example: http://127.0.0.1:4318\n',
    );
  });
});

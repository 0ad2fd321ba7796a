import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  DEEP_RESEARCH_TOOL,
  ModelClient,
  SondeApiError,
  SondeClient,
  SondeConnectionError,
  SondeError,
  SondeProtocolError,
  SondeTimeoutError,
  SondeUsageError,
} from '../dist/index.js';
import { startProcess } from './support/processes.ts';

type Json = Record<string, unknown>;
interface Call {
  method: string;
  arguments?: unknown[];
  options?: Json;
  returns?: unknown;
  yields?: Json[];
  take?: number;
  raises?: Json;
}

const CONTRACT = new URL('../../contract/', import.meta.url);
const read = (path: string) =>
  JSON.parse(readFileSync(new URL(path, CONTRACT), 'utf8'));
const cases = readdirSync(new URL('cases/', CONTRACT))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

test('the tool definition is that of the contract', () => {
  assert.deepEqual(DEEP_RESEARCH_TOOL, read('deep-research-tool.json'));
});

describe('the contract', { concurrency: 8 }, () => {
  let replay: { url: string; close(): Promise<void> };
  before(async () => {
    replay = await startProcess('clients/contract/replay.mjs');
  });
  after(() => replay.close());

  for (const name of cases) {
    const { title, client, model, calls } = read(`cases/${name}.json`);
    test(title, { timeout: 60_000 }, async () => {
      const url = `${replay.url}/${name}`;
      const sonde = new SondeClient(clientOptions(url, client));
      const endpoint = new ModelClient(clientOptions(`${url}/model`, model));
      const results: unknown[] = [];
      for (const call of calls as Call[])
        results.push(await run(call, sonde, endpoint, results));
      const report = await (await fetch(`${url}/_report`)).json();
      assert.deepEqual(report, { ok: true, faults: [] });
    });
  }
});

async function run(
  call: Call,
  sonde: SondeClient,
  model: ModelClient,
  results: unknown[],
): Promise<unknown> {
  let got: unknown;
  let error: unknown;
  const events: unknown[] = [];
  try {
    const returned = await invoke(call, sonde, model, results);
    if (isIterable(returned)) {
      if (call.take !== 0)
        for await (const event of returned) {
          events.push(event);
          if (events.length === call.take) break;
        }
    } else got = returned;
  } catch (thrown) {
    error = thrown;
  }
  if (error !== undefined && call.raises === undefined) throw error;
  if (call.yields) holds(events, call.yields, 'events', true);
  if (call.raises) {
    assert.ok(error !== undefined, `${call.method} raised nothing`);
    const { kind, ...fields } = call.raises;
    assert.equal(kindOf(error), kind, inspect(error));
    const { status, code, message, errors } = error as SondeApiError;
    const { request_id, retry_after_seconds } = error as SondeApiError;
    const all = { status, code, message, errors };
    holds({ ...all, request_id, retry_after_seconds }, fields, 'error');
  }
  if (call.returns !== undefined) holds(got, call.returns, call.method);
  return got;
}

function invoke(
  call: Call,
  sonde: SondeClient,
  model: ModelClient,
  results: unknown[],
): unknown {
  const args = (call.arguments ?? []).map((argument) =>
    isObject(argument) && '$result' in argument
      ? results[argument.$result as number]
      : isObject(argument) && Array.isArray(argument.functions)
        ? { ...argument, functions: behaving(argument.functions) }
        : argument,
  );
  const path = call.method.split('.');
  const name = path.pop()!;
  const owner = path[0] === 'model' ? model : path[0] ? sonde.chats : sonde;
  const given = {
    ...options(call.options),
    ...(name === 'createResponseWithToolCalling' && { sonde }),
  };
  const method = Reflect.get(owner, name) as (...all: unknown[]) => unknown;
  const all = Object.keys(given).length > 0 ? [...args, given] : args;
  return method.apply(owner, all);
}

/** Functions that do what their `$run` says. */
function behaving(functions: Json[]): Json[] {
  const running: (() => void)[] = [];
  const met = (count: number) =>
    new Promise<void>((resolve) => {
      running.push(resolve);
      if (running.length === count) for (const go of running) go();
    });
  return functions.map(({ $run, ...description }) => {
    if ($run === undefined) return description;
    const { returns, raises, hangs, meets } = $run as Json;
    const run = async () => {
      if (meets) await met(meets as number);
      if (hangs) await new Promise(() => undefined);
      if (raises) throw new Error(raises as string);
      return returns;
    };
    return { ...description, run };
  });
}

function clientOptions(url: string, { base_path = '', ...wire }: Json = {}) {
  return { ...options(wire), baseUrl: `${url}${base_path as string}` };
}

/** Converts option names to camelCase, and seconds to milliseconds. */
function options(wire: Json = {}): Json {
  const camel = (name: string) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(wire).map(([name, value]) =>
      ['timeout', 'idle_timeout', 'give_up_after', 'function_timeout'].includes(
        name,
      )
        ? [`${camel(name)}Ms`, (value as number) * 1000]
        : [camel(name), value],
    ),
  );
}

/** `got` contains `expected`; null also matches an absent value. */
function holds(
  got: unknown,
  expected: unknown,
  at: string,
  whole = Array.isArray(expected),
): void {
  if (got instanceof Uint8Array) got = Buffer.from(got).toString('base64');
  if (expected === null) return assert.equal(got ?? null, null, at);
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(got), `${at} is no list`);
    if (whole) assert.equal(got.length, expected.length, `length of ${at}`);
    expected.forEach((each, n) => holds(got[n], each, `${at}[${n}]`));
  } else if (isObject(expected)) {
    assert.ok(isObject(got), `${at} is no object`);
    for (const [name, value] of Object.entries(expected))
      holds(got[name], value, `${at}.${name}`);
  } else assert.deepEqual(got, expected, at);
}

function kindOf(error: unknown): string {
  assert.ok(error instanceof SondeError, `no SondeError: ${inspect(error)}`);
  if (error instanceof SondeApiError) return 'api';
  if (error instanceof SondeTimeoutError) return 'timeout';
  if (error instanceof SondeConnectionError) return 'connection';
  if (error instanceof SondeProtocolError) return 'protocol';
  return error instanceof SondeUsageError ? 'usage' : 'none';
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return isObject(value) && Symbol.asyncIterator in value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

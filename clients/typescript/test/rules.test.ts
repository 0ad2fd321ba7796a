import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseEnv } from '../dist/cli/settings.js';
import { decode } from '../dist/cli/terminal/input.js';
import {
  ModelClient,
  SondeApiError,
  SondeClient,
  SondeConnectionError,
  SondeTimeoutError,
  SondeUsageError,
  VERSION,
} from '../dist/index.js';
import {
  backoff,
  retryDelay,
  reconnectDelay,
  mayRetry,
  retryAfterSeconds,
} from '../dist/http/retry.js';
import { modelUrl, sondeUrl } from '../dist/http/urls.js';

const api = (status: number, retryAfter: number | null = null, code = 'any') =>
  new SondeApiError({
    status,
    code,
    message: 'x',
    retry_after_seconds: retryAfter,
  });

describe('a base URL', () => {
  const sonde = {
    'http://127.0.0.1:8080': 'http://127.0.0.1:8080',
    'http://localhost/': 'http://localhost',
    'http://[::1]:80//': 'http://[::1]',
    'http://127.8.9.1/api/v1/': 'http://127.8.9.1',
    'https://example.com/sonde/api/v1': 'https://example.com/sonde',
    'https://example.com/sonde/': 'https://example.com/sonde',
  };
  for (const [given, taken] of Object.entries(sonde))
    test(`of Sonde: ${given} is normalized to ${taken}`, () => {
      assert.equal(sondeUrl(given), taken);
    });

  const model = {
    'https://example.com': 'https://example.com/v1',
    'https://example.com/v1/': 'https://example.com/v1',
    'https://example.com/openai/v1': 'https://example.com/openai/v1',
    'https://example.com/v10': 'https://example.com/v10/v1',
  };
  for (const [given, taken] of Object.entries(model))
    test(`of the model endpoint: ${given} is normalized to ${taken}`, () => {
      assert.equal(modelUrl(given), taken);
    });

  const { sonde: ofSonde, model: ofModel } = JSON.parse(
    readFileSync(
      new URL('../../contract/base-urls.json', import.meta.url),
      'utf8',
    ),
  ) as Record<'sonde' | 'model', Record<'taken' | 'refused', string[]>>;

  test('is accepted if it is safe', () => {
    for (const baseUrl of ofSonde.taken) new SondeClient({ baseUrl });
    for (const baseUrl of ofModel.taken) new ModelClient({ baseUrl });
  });

  test('is rejected otherwise, without being repeated in the error', () => {
    const isUsage = (given: string) => (error: Error) =>
      error instanceof SondeUsageError &&
      (given.trim() === '' || !error.message.includes(given));
    for (const baseUrl of ofSonde.refused)
      assert.throws(() => new SondeClient({ baseUrl }), isUsage(baseUrl));
    for (const baseUrl of ofModel.refused)
      assert.throws(() => new ModelClient({ baseUrl }), isUsage(baseUrl));
  });
});

describe('a request is retried', () => {
  const lost = new SondeConnectionError('lost');
  const late = new SondeTimeoutError('late');

  test('after any transient failure if it is idempotent', () => {
    for (const status of [408, 429, 500, 502, 503, 504])
      assert.ok(mayRetry('any', api(status)), String(status));
    assert.ok(mayRetry('any', lost));
    for (const status of [400, 401, 403, 404, 409, 422, 501])
      assert.ok(!mayRetry('any', api(status)), String(status));
    assert.ok(!mayRetry('any', late));
    assert.ok(!mayRetry('any', new SondeUsageError('x')));
  });

  test('without a key only if the service guarantees that no work was started', () => {
    assert.ok(mayRetry('refused', api(429, 0)));
    assert.ok(mayRetry('refused', api(503, 1)));
    assert.ok(!mayRetry('refused', api(503)));
    assert.ok(!mayRetry('refused', api(503, 1, 'http_error')));
    assert.ok(!mayRetry('refused', api(500, 1)));
    assert.ok(!mayRetry('refused', lost));
  });

  test('at the model endpoint only after 429 if it may have been billed', () => {
    assert.ok(mayRetry('limited', api(429)));
    assert.ok(!mayRetry('limited', api(503, 1)));
    assert.ok(!mayRetry('limited', lost));
  });

  test('after Retry-After, or with exponential backoff', () => {
    assert.equal(retryDelay(3, api(503, 2)), 2000);
    for (const [n, most] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
      const delay = backoff(n);
      assert.ok(delay <= most && delay >= most / 2, `${n}: ${delay}`);
    }
  });

  test('by polling never faster than the backoff, for any Retry-After', () => {
    assert.equal(reconnectDelay(0, api(503, 0)), 0);
    assert.ok(reconnectDelay(1, api(503, 0)) >= 250);
    assert.ok(reconnectDelay(9, api(503, 0)) >= 4000);
    assert.equal(reconnectDelay(1, api(503, 60)), 60_000);
  });

  test('after Retry-After in seconds or as a date', () => {
    assert.equal(retryAfterSeconds('7'), 7);
    assert.equal(retryAfterSeconds(null), null);
    assert.equal(retryAfterSeconds('soon'), null);
    assert.equal(retryAfterSeconds('Sun, 06 Nov 1994 08:49:37 GMT'), 0);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const seconds = retryAfterSeconds(date)!;
    assert.ok(seconds > 3000 && seconds <= 3600, String(seconds));
  });
});

describe('a usage error', () => {
  const sonde = new SondeClient();
  const usage = { name: 'SondeUsageError' };

  test('is a value that no header can carry, without repeating it', async () => {
    assert.throws(
      () => new SondeClient({ apiKey: '열쇠' }),
      (error: Error) => {
        return (
          error instanceof SondeUsageError && !error.message.includes('열쇠')
        );
      },
    );
    const key = { idempotencyKey: 'a\nb' };
    await assert.rejects(sonde.submit('t', {}, key), usage);
    await assert.rejects(sonde.chat({ message: 'a' }, key), usage);
    const token = { token: 'a\r\nb: c' };
    await assert.rejects(sonde.get('inv_1', token), usage);
    assert.throws(() => sonde.events('inv_1', token), usage);
  });

  test('is an invalid id', async () => {
    const model = new ModelClient({ baseUrl: 'http://127.0.0.1:1' });
    for (const id of ['', '.', '..']) {
      await assert.rejects(sonde.get(id), usage);
      await assert.rejects(model.getResponse(id), usage);
    }
    await assert.rejects(sonde.chats.get({ chat_id: null }), usage);
  });
});

test('~/.env is parsed as shells and other systems write it', () => {
  const text =
    '\ufeff# first\r\nA=1\r\nexport B="two words" # said\nC=\'it # is\'\n D = 4 # four\nE=a#b\nF=\nno line\nG=#\n';
  assert.deepEqual(parseEnv(text), {
    A: '1',
    B: 'two words',
    C: 'it # is',
    D: '4',
    E: 'a#b',
    F: '',
    G: '',
  });
});

test('Korean text in every common encoding is decoded', () => {
  // 똠방각하: only the first character is outside EUC-KR.
  const cp949 = Uint8Array.of(0x8c, 0x63, 0xb9, 0xe6, 0xb0, 0xa2, 0xc7, 0xcf);
  assert.equal(decode(cp949), '똠방각하');
  const utf16 = Buffer.from('\ufeff똠방각하', 'utf16le');
  assert.equal(decode(utf16), '똠방각하');
  assert.equal(decode(utf16.swap16()), '똠방각하');
  assert.equal(decode(Buffer.from('\ufeff똠방각하')), '똠방각하');
  for (const none of [[0xff], [0x80, 0x41], [0xb0], [0xc6, 0x53]])
    assert.throws(() => decode(Uint8Array.from(none)));
});

test('VERSION equals the version of the package', () => {
  const file = new URL('../package.json', import.meta.url);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).version, VERSION);
});

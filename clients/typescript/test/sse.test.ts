import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { SseParser, type SseFrame } from '../dist/http/sse.js';

const encoder = new TextEncoder();

function parse(...pieces: Uint8Array[]): SseFrame[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const bytesOf = (text: string) => encoder.encode(text);
const framesOf = (text: string) => parse(bytesOf(text));

const TRANSCRIPTS = [
  'id: 1\nevent: output_text\ndata: {"text":"짜장면"}\n\n: still here\n\nid: 2\ndata: 🥢\n\n',
  'id: 1\r\nevent: status\r\ndata: a\r\ndata:\r\ndata: b\r\n\r\nid\r\ndata: c\r\n\r\n',
  'id: 1\rdata: a\r\rid: 2\rdata: b\r\r',
  '\ufeffid: 1\ndata: a\n\nretry: 10\nunheard: of\ndata:b\ndata\n\n',
  'data: mixed\r\n\ndata: ends\r\r\ndata: here\n\r\ndata: \ufeff\n\n',
  'id: a\0b\ndata: x\n\nevent: none\n\ndata: plain\n\ndata: cut',
];

describe('frames', () => {
  for (const [n, transcript] of TRANSCRIPTS.entries()) {
    const bytes = bytesOf(transcript);
    const whole = parse(bytes);

    test(`are the same wherever transcript ${n} is cut in two`, () => {
      assert.ok(whole.length > 0);
      for (let at = 0; at <= bytes.length; at += 1)
        assert.deepEqual(
          parse(bytes.subarray(0, at), bytes.subarray(at)),
          whole,
          `cut at byte ${at}`,
        );
    });

    test(`are the same when transcript ${n} arrives byte by byte`, () => {
      const each = Array.from(bytes, (byte) => Uint8Array.of(byte));
      assert.deepEqual(parse(...each), whole);
    });

    test(`are the same for every line ending of transcript ${n}`, () => {
      const plain = transcript.replace(/\r\n|\r/g, '\n');
      for (const end of ['\r', '\n', '\r\n'])
        assert.deepEqual(framesOf(plain.replaceAll('\n', end)), whole);
    });
  }

  test('ended by CR alone are emitted with that CR', () => {
    assert.deepEqual(framesOf('data: a\r\r'), [
      { event: 'message', data: 'a' },
    ]);
  });

  test('have the lines of their data joined', () => {
    assert.equal(framesOf('data: a\ndata:\ndata:  b\n\n')[0]!.data, 'a\n\n b');
  });

  test('without a final blank line are discarded', () => {
    assert.deepEqual(framesOf('id: 1\ndata: {"text":"half\n'), []);
  });

  test('without data are discarded and set no event name for the next', () => {
    assert.deepEqual(framesOf('id: 7\nevent: x\n\ndata: a\n\n'), [
      { event: 'message', data: 'a' },
    ]);
  });

  test('distinguish an empty id from a missing one', () => {
    assert.equal(framesOf('id\ndata: a\n\n')[0]!.id, '');
    assert.equal(framesOf('data: a\n\n')[0]!.id, undefined);
  });
});

test('the library entry imports nothing from Node.js', () => {
  const seen = new Set<string>();
  const visit = (file: URL): void => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const imports = readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g);
    for (const [, name] of imports) {
      assert.match(name!, /^\.\.?\//, `${file.href} imports ${name}`);
      visit(new URL(name!, file));
    }
  };
  visit(new URL('../dist/index.js', import.meta.url));
  assert.ok(seen.size > 10);
});

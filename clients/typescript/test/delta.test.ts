import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  accumulate,
  EMPTY_DELTA,
  finish,
  IncompleteMessage,
  type MessageDelta,
} from '../dist/index.js';

interface Fixture {
  name: string;
  deltas: MessageDelta[];
  sum: MessageDelta;
  message?: object;
  incomplete?: string;
}

const FILE = new URL('../../contract/deltas.json', import.meta.url);
const fixtures = JSON.parse(readFileSync(FILE, 'utf8')) as Fixture[];

describe('deltas add up:', () => {
  for (const { name, deltas, sum, message, incomplete } of fixtures)
    test(name, () => {
      const whole = deltas.reduce(accumulate, EMPTY_DELTA);
      assert.deepEqual(whole, sum);
      // The result is the same whichever two are merged first.
      const fromTheEnd = deltas.reduceRight((b, a) => accumulate(a, b), {});
      assert.deepEqual(fromTheEnd, sum);
      if (incomplete === undefined) assert.deepEqual(finish(whole), message);
      else
        assert.throws(() => finish(whole), {
          name: IncompleteMessage.name,
          message: incomplete,
        });
    });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  accumulate,
  EMPTY_DELTA,
  type MessageDelta,
} from '../../src/platform/message/delta';
import { finish } from '../../src/platform/message/delta-finish';

interface Fixture {
  name: string;
  deltas: MessageDelta[];
  sum: MessageDelta;
  message?: object;
  incomplete?: string;
}

const FILE = join(__dirname, '../../clients/contract/deltas.json');
const fixtures = JSON.parse(readFileSync(FILE, 'utf8')) as Fixture[];

describe('the deltas of the client contract', () => {
  it.each(fixtures)('are what the service makes of $name', (fixture) => {
    const sum = fixture.deltas.reduce(accumulate, EMPTY_DELTA);
    expect(sum).toEqual(fixture.sum);
    if (fixture.incomplete === undefined)
      expect(finish(sum)).toEqual(fixture.message);
    else expect(() => finish(sum)).toThrow(fixture.incomplete);
  });
});

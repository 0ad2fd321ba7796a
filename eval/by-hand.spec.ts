import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ByHand } from './by-hand';

const requestOf = (question: string, maxTokens = 100) => ({
  model: 'hand',
  messages: [
    { role: 'system' as const, content: 'Role: reader.' },
    { role: 'user' as const, content: question },
  ],
  schema: { name: 'research_notes', schema: { type: 'object' } },
  maxTokens,
  timeoutMs: 1,
  signal: new AbortController().signal,
});

describe('a model that is played by hand', () => {
  let folder: string;
  const asked = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.in.txt'))
      .sort();
  const answer = (number: string, text: string) => {
    writeFileSync(join(folder, 'draft'), text);
    renameSync(join(folder, 'draft'), join(folder, `${number}.out.json`));
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'by-hand-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is asked in files that hold the prompt and the schema alone, several at once', async () => {
    const model = new ByHand(folder);
    const replies = ['one', 'two'].map((question) =>
      model.complete(requestOf(question)),
    );
    expect(asked()).toEqual(['001.in.txt', '002.in.txt']);
    expect(readFileSync(join(folder, '002.in.txt'), 'utf8')).toBe(
      '# system\n\nRole: reader.\n\n# user\n\ntwo\n\n# JSON schema of the answer\n\n{"type":"object"}\n',
    );
    answer('002', '{\n  "notes": [2]\n}\n');
    answer('001', 'no object');
    expect(await Promise.all(replies)).toEqual([
      { text: 'no object', finish: 'stop', usage: null },
      { text: '{"notes":[2]}', finish: 'stop', usage: null },
    ]);
  });

  it('is not asked again for what its folder has an answer to, but for an answer that was refused', async () => {
    answer('001', '{"notes":[1]}');
    await new ByHand(folder).complete(requestOf('one'));
    const model = new ByHand(folder);
    const again = await model.complete(requestOf('one'));
    expect(again.text).toBe('{"notes":[1]}');
    expect(asked()).toHaveLength(1);
    answer('002', '{"notes":[2]}');
    const other = await model.complete(requestOf('one'));
    expect(other.text).toBe('{"notes":[2]}');
    expect(asked()).toHaveLength(2);
  });

  it('is cut off where a model would be', async () => {
    answer('001', JSON.stringify({ notes: ['word '.repeat(200)] }));
    const reply = await new ByHand(folder).complete(requestOf('one'));
    expect(reply.finish).toBe('length');
  });
});

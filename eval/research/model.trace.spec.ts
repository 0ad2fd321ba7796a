import type { ModelReply, ModelRequest } from './endpoint';
import { ModelMemory, ModelRecorder, ModelReplay } from './model.trace';

const requestOf = (
  blocks: Record<string, string>,
  more: Partial<{ system: string; fault: string; role: string }> = {},
): ModelRequest => {
  const {
    system = 'Role: reader.',
    fault = '',
    role = 'research_notes',
  } = more;
  const data = Object.entries(blocks).map(
    ([name, content]) => `<data name="${name}">\n${content}\n</data>`,
  );
  return {
    model: 'strong',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: `${data.join('\n\n')}${fault}` },
    ],
    schema: { name: role, schema: {} },
    maxTokens: 100,
    timeoutMs: 1,
    signal: new AbortController().signal,
  };
};

/** Says how often it was asked. */
class Counting {
  asked = 0;

  complete(): Promise<ModelReply> {
    this.asked += 1;
    const text = `answer ${this.asked}`;
    return Promise.resolve({ text, finish: 'stop', usage: null });
  }
}

const recorded = async (...requests: ModelRequest[]) => {
  const recorder = new ModelRecorder(new Counting(), []);
  for (const request of requests) await recorder.complete(request);
  return new ModelReplay(recorder.text);
};

describe('the trace of a model', () => {
  const brief = 'what is wanted';
  const part = requestOf({ brief, page: '[1] A.' });
  const other = requestOf({ brief, page: '[1] B.' });

  it('has its answers by what they are about, however the instructions are worded', async () => {
    const replay = await recorded(part, other);
    const reworded = requestOf(
      { page: '[1] B.', brief },
      { system: 'You read.' },
    );
    const { text } = await replay.complete(reworded);
    expect(text).toBe('answer 2');
  });

  it('has those that were refused in their order, and the last one again', async () => {
    const again = requestOf(
      { brief, page: '[1] A.' },
      { fault: '\n\nYour previous answer was refused: no JSON.' },
    );
    const replay = await recorded(part, again, again);
    const texts = [];
    for (const request of [again, part, again, again])
      texts.push((await replay.complete(request)).text);
    expect(texts).toEqual(['answer 2', 'answer 1', 'answer 3', 'answer 3']);
  });

  it.each([
    [{ brief, page: '[1] C.' }, {}, 'research_notes has changed (page)'],
    [{ brief, page: '[1] A.', date: '2026' }, {}, 'has changed (date)'],
    [{ brief, page: '[1] A.' }, { fault: '\n\nAgain.' }, '(besides)'],
    [
      { brief, notes: '' },
      { role: 'research_gaps' },
      'there is none of strong',
    ],
  ])('names what of %j %j it has no answer to', async (blocks, more, what) => {
    const replay = await recorded(part, other);
    const asked = replay.complete(requestOf(blocks, more));
    await expect(asked).rejects.toThrow('record it again');
    await expect(asked).rejects.toThrow(what);
  });

  it('is recorded again by asking only what it has no answer to', async () => {
    const model = new Counting();
    const memory = new ModelMemory(await recorded(part), model);
    const recorder = new ModelRecorder(memory, []);
    for (const request of [part, other]) await recorder.complete(request);
    expect(model.asked).toBe(1);
    const replay = new ModelReplay(recorder.text);
    expect((await replay.complete(part)).text).toBe('answer 1');
    expect((await replay.complete(other)).text).toBe('answer 1');
  });
});

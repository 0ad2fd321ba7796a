import fc from 'fast-check';
import type {
  Response,
  ResponseOutputMessage,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { withPlainMessages } from './plain-messages';
import { readContent } from './responses-output';
import { ResponseDeltas } from './responses-stream';

const MARKS = [
  '\ue200cite\ue202turn0search1\ue201',
  'citeturn0search1turn2news3',
  '【12:3†source】',
];
const WORDS = ['The tower', ' is ', '🗼 330 m', ' tall. ', '\n\n', 'f', 'cite'];

const message = (texts: readonly string[], annotations: object[] = []) =>
  ({
    type: 'message',
    role: 'assistant',
    content: texts.map((text) => ({ type: 'output_text', text, annotations })),
  }) as unknown as ResponseOutputMessage;
const content = (...output: object[]) =>
  readContent(withPlainMessages({ output } as Response));

/** The text of a stream of these messages, each of whose parts comes in the given pieces. */
function streamed(messages: readonly (readonly string[])[]): string {
  const deltas = new ResponseDeltas();
  const events = messages.flatMap((pieces, output_index) => [
    { type: 'response.output_item.added', output_index, item: message([]) },
    ...pieces.map((delta) => ({
      type: 'response.output_text.delta',
      output_index,
      delta,
    })),
  ]);
  return events
    .flatMap(
      (event) =>
        deltas.read(event as unknown as ResponseStreamEvent).contents ?? [],
    )
    .map(({ text = '' }) => text)
    .join('');
}

describe(withPlainMessages.name, () => {
  it.each(MARKS)('takes %j out, and citations keep their words', (mark) => {
    const text = `🗼 It is 330 m tall${mark}, they say.`;
    const start_index = Array.from(text.slice(0, text.indexOf('330'))).length;
    const cited = {
      type: 'url_citation',
      url: 'https://a.example/',
      title: 'A',
    };
    const found = content(
      message(['First.']),
      message([text], [{ ...cited, start_index, end_index: start_index + 5 }]),
    );
    expect(found.text).toBe('First.\n\n🗼 It is 330 m tall, they say.');
    const [{ start_index: start, end_index: end }] = found.citations!;
    expect(Array.from(found.text!).slice(start, end).join('')).toBe('330 m');
  });

  it('keeps annotations that have no place in the text it changes', () => {
    const files = [
      { type: 'file_citation', file_id: 'file_1', filename: 'a.txt', index: 0 },
      { type: 'file_path', file_id: 'file_2', index: 1 },
    ];
    const cited = { type: 'container_file_citation', file_id: 'file_3' };
    const mark = '【12:3†source】';
    const range = { ...cited, start_index: 7, end_index: 7 + mark.length };
    const beyond = { ...cited, start_index: 90, end_index: 99 };
    const all = [...files, range, beyond];
    const { output } = withPlainMessages({
      output: [message(['First.']), message([`As said${mark}.`], all)],
    } as Response);
    const { content: parts } = output[1] as ResponseOutputMessage;
    expect(parts).toEqual([
      {
        type: 'output_text',
        text: '\n\nAs said.',
        annotations: [{ ...cited, start_index: 8, end_index: 9 }, ...files],
      },
    ]);
  });

  it('leaves everything else of a response as it is', () => {
    const call = { type: 'function_call', name: 'f', arguments: '{}' };
    const output = [message(['Plain.'], [{ type: 'file_citation' }]), call];
    expect(withPlainMessages({ output } as Response)).toEqual({ output });
  });

  it('gives the text that a stream gives, however that is divided', () => {
    const pieces = fc.array(fc.constantFrom(...MARKS, ...WORDS), {
      maxLength: 8,
    });
    const cuts = fc.array(fc.nat(60), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(pieces, cuts), { maxLength: 4 }), (all) => {
        const texts = all.map(([list]) => list.join(''));
        const whole = content(...texts.map((text) => message([text]))).text!;
        const divided = all.map(([, at], index) => {
          const places = [0, ...at, Infinity].toSorted((a, b) => a - b);
          return places.map((from, one) =>
            texts[index].slice(from, places[one + 1]),
          );
        });
        // Its end comes with the whole response.
        expect(whole.startsWith(streamed(divided))).toBe(true);
        const ended = streamed([...divided, ['x', ' y ']]);
        expect(content(message([whole]), message(['x y '])).text).toContain(
          ended.trim(),
        );
      }),
      { numRuns: 300 },
    );
  });
});

import fc from 'fast-check';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { withoutMarks } from '../../../llm/responses/citation-marks';
import { Transcript } from './transcript';

const fresh = () =>
  new Transcript(
    {
      partStart: 0,
      steps: 0,
      stepsRead: 0,
      progress: { searches: 0, pages_opened: 0, last_step: null },
    },
    '',
  );

const event = (fields: Record<string, unknown>) =>
  fields as unknown as ResponseStreamEvent;
const delta = (seq: number | undefined, text: string, item = 'msg_1') =>
  event({
    type: 'response.output_text.delta',
    sequence_number: seq,
    item_id: item,
    content_index: 0,
    delta: text,
  });
const done = (seq: number | undefined, text: string, item = 'msg_1') =>
  event({
    type: 'response.output_text.done',
    sequence_number: seq,
    item_id: item,
    content_index: 0,
    text,
  });

/** The numbered events of a run whose messages have these pieces. */
function run(messages: string[][]): ResponseStreamEvent[] {
  let seq = 0;
  return messages.flatMap((pieces, i) => [
    ...pieces.map((piece) => delta(seq++, piece, `msg_${i}`)),
    done(seq++, pieces.join(''), `msg_${i}`),
  ]);
}

const messages = fc.array(
  fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }),
  { maxLength: 4 },
);
/** A blank line is between two messages. */
const whole = (parts: string[][]) =>
  parts
    .map((pieces) => pieces.join(''))
    .reduce(
      (text, next) =>
        text + (text === '' || text.endsWith('\n\n') ? '' : '\n\n') + next,
      '',
    );

describe(Transcript.name, () => {
  it('emits every text whole and in order, however the events are batched', () => {
    fc.assert(
      fc.property(
        messages,
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (parts, sizes) => {
          const transcript = fresh();
          const events = run(parts);
          let passedOn = '';
          for (let at = 0; at < events.length;) {
            const size = sizes.next().value as number;
            passedOn += transcript.fold(events.slice(at, at + size)).text;
            at += size;
          }
          expect(passedOn).toBe(whole(parts));
          expect(transcript.text).toBe(passedOn);
        },
      ),
    );
  });

  it('takes out marks however deltas and batches split them, also after another worker has taken over', () => {
    const pieces = fc.constantFrom(
      'Old ',
      ' \ue200cite\ue202turn0search1\ue201',
      ' citeturn0search1',
      'turn0news12',
      ' 【4†source】',
      '【',
      'cite',
      'file',
      ' ',
      '🍜',
      '.',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (parts, sizes) => {
          const text = parts.join('');
          const units = Array.from(text);
          let transcript = fresh();
          for (let at = 0, seq = 0; at < units.length; seq += 1) {
            const size = sizes.next().value as number;
            const piece = units.slice(at, at + size).join('');
            transcript.fold([delta(seq, piece)]);
            transcript = new Transcript(
              JSON.parse(JSON.stringify(transcript.state)),
              transcript.text,
            );
            expect(withoutMarks(text).startsWith(transcript.text)).toBe(true);
            at += size;
          }
          transcript.fold([done(undefined, text)]);
          expect(transcript.text).toBe(withoutMarks(text));
        },
      ),
    );
  });

  it('never folds an event twice, whichever are repeated', () => {
    fc.assert(
      fc.property(messages, (parts) => {
        const transcript = fresh();
        const events = run(parts).flatMap((item) => [item, item]);
        expect(transcript.fold(events).text).toBe(whole(parts));
        expect(transcript.fold(events).text).toBe('');
      }),
    );
  });

  it('never emits more than a beginning of the text when events are missing', () => {
    fc.assert(
      fc.property(messages, fc.func(fc.boolean()), (parts, lost) => {
        const transcript = fresh();
        const events = run(parts).filter(
          (item) =>
            !lost(
              item.type,
              (item as { sequence_number: number }).sequence_number,
            ),
        );
        transcript.fold(events);
        expect(whole(parts).startsWith(transcript.text)).toBe(true);
      }),
    );
  });

  it('emits the text of a lost delta as soon as the whole part arrives', () => {
    const transcript = fresh();
    expect(transcript.fold([delta(0, 'one '), delta(2, 'three')]).text).toBe(
      'one',
    );
    expect(transcript.fold([done(3, 'one two three')]).text).toBe(' two three');
    expect(transcript.fold([delta(4, 'four', 'msg_2')]).text).toBe('\n\nfour');
  });

  it('folds events without numbers in the order in which they come', () => {
    const transcript = fresh();
    const events = [
      delta(undefined, 'a'),
      delta(undefined, 'b'),
      done(undefined, 'ab'),
    ];
    expect(transcript.fold(events).text).toBe('ab');
  });

  it('continues in the middle of a part from the stored state', () => {
    const before = fresh();
    before.fold([delta(0, 'one '), done(1, 'one '), delta(2, 'tw', 'msg_2')]);
    const state = JSON.parse(
      JSON.stringify(before.state),
    ) as typeof before.state;
    const after = new Transcript(state, before.text);
    expect(
      after.fold([
        delta(2, 'tw', 'msg_2'),
        delta(3, 'o', 'msg_2'),
        done(4, 'two', 'msg_2'),
      ]).text,
    ).toBe('o');
    expect(after.text).toBe('one \n\ntwo');
  });

  it('leaves out the commentary of the model', () => {
    const transcript = fresh();
    const item = { type: 'message', id: 'msg_1', phase: 'commentary' };
    const added = event({
      type: 'response.output_item.added',
      sequence_number: 0,
      item,
    });
    expect(
      transcript.fold([
        added,
        delta(1, 'Let me see'),
        done(2, 'Let me see'),
        delta(3, 'Yes', 'msg_2'),
      ]).text,
    ).toBe('Yes');
  });

  it('joins the deltas of a batch into one event and counts searches and pages', () => {
    const transcript = fresh();
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      action: { type: 'search', queries: ['noodles'] },
    };
    const open = {
      type: 'web_search_call',
      id: 'ws_2',
      action: { type: 'open_page', url: null },
    };
    const { events } = transcript.fold([
      event({
        type: 'response.output_item.done',
        sequence_number: 0,
        item: search,
      }),
      event({
        type: 'response.output_item.done',
        sequence_number: 1,
        item: open,
      }),
      event({ type: 'response.something.new', sequence_number: 2 }),
      delta(3, 'a'),
      delta(4, 'b'),
    ]);
    expect(events).toEqual([
      { type: 'progress', data: { kind: 'web_search', detail: 'noodles' } },
      { type: 'progress', data: { kind: 'open_page', detail: '' } },
      { type: 'output_text', data: { text: 'ab' } },
    ]);
    expect(transcript.state.progress).toEqual({
      searches: 1,
      pages_opened: 1,
      last_step: 'open_page',
    });
  });

  it('does not count the failure that a proxy writes into a stream among the events of the upstream', () => {
    const whole = ['One ', 'two ', 'three'];
    const [first, second, ...rest] = run([whole]);
    const transcript = fresh();
    transcript.fold([first]);
    const failed = event({
      type: 'response.failed',
      sequence_number: 1,
      response: { id: 'resp_1', status: 'failed', output: [] },
    });
    expect(transcript.fold([failed]).ended).toMatchObject({ status: 'failed' });
    expect(transcript.state.seq).toBe(0);
    transcript.fold([second, ...rest]);
    expect(transcript.text).toBe(whole.join(''));
    expect(transcript.state.unsure).toBeUndefined();
  });
});

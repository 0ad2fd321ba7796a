import type { BoundSection } from '../agent.types';
import { withoutRepeats } from './repeats';

const said = (text: string, ...noteIds: string[]) => ({ text, noteIds });
const section = (...sentences: BoundSection['sentences']): BoundSection => ({
  title: '',
  sentences,
});
const EARLIER = section(
  said('Stable requires very little maintenance from the administrator.', 'n1'),
  said('The tower was painted in 1889 by 25 men.', 'n2'),
  said('It is old.', 'n3'),
);
const left = async (...sentences: BoundSection['sentences']) =>
  (await withoutRepeats(section(...sentences), [EARLIER])).sentences;

describe(withoutRepeats.name, () => {
  it.each([
    ['Stable requires very little maintenance, from the administrator', 'n9'],
    ['Stable requires little maintenance from the administrator.', 'n1'],
  ])('drops what an earlier section has said: %s', async (text, note) => {
    expect(await left(said(text, note))).toEqual([]);
  });

  it.each([
    ['with another number', 'The tower was painted in 1968 by 25 men.', 'n2'],
    [
      'of other notes',
      'Stable requires little maintenance from the administrator.',
      'n9',
    ],
    ['in other words', 'Whoever runs stable has little work with it.', 'n1'],
    ['of few words', 'It is old.', 'n3'],
  ])('keeps a sentence %s', async (_, text, note) => {
    expect(await left(said(text, note))).toHaveLength(1);
  });

  it('drops what the section itself has said, but no cell', async () => {
    const twice =
      'Testing requires constant maintenance from the administrator.';
    const all = section(
      said(twice, 'n1'),
      said(twice, 'n1'),
      said(twice, 'n1'),
    );
    const layout: BoundSection['layout'] = [
      { type: 'paragraph', sentences: [0] },
      { type: 'table', columns: [], heads: ['a', 'b'], rows: [[1], [2]] },
    ];
    const { sentences } = await withoutRepeats(all, []);
    expect(sentences).toHaveLength(1);
    const inTable = await withoutRepeats({ ...all, layout }, []);
    expect(inTable.sentences).toHaveLength(3);
  });
});

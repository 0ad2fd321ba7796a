import { allMentioned, mentioned } from './mention';

const CAN = { names: ['캔', 'can'] };
const ALUMINIUM = { names: ['알루미늄 캔', 'aluminium can'] };
const SOFA = { names: ['소파', 'sofa'] };
const THINGS = [CAN, ALUMINIUM, SOFA];

describe(mentioned.name, () => {
  it.each([
    ['소파를 버리고 싶어요', SOFA],
    ['ＳＯＦＡ, please', SOFA],
    ['two sofas', SOFA],
    ['sofa는 어떻게 버려?', SOFA],
    ['소파'.normalize('NFD'), SOFA],
    ['알루미늄캔 시세', ALUMINIUM],
    ['알루미늄 캔', ALUMINIUM],
    ['Aluminium cans', ALUMINIUM],
    ['an empty can', CAN],
    ['I cannot scan', undefined],
    ['', undefined],
  ])('finds in "%s" what it speaks of', (text, thing) => {
    expect(mentioned(text, THINGS)).toBe(thing);
  });

  it('finds several, the most exact first', () => {
    expect(allMentioned('a can, a sofa', THINGS)).toEqual([SOFA, CAN]);
  });
});

import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import type { InputItem } from '../response-request';
import { listed } from './input-list';

const ITEMS = ['a', 'b', 'c'].map((id) => ({ id }) as InputItem);
const idsOf = (query: Record<string, unknown>) => {
  const { data, has_more, first_id, last_id } = listed(ITEMS, query);
  return [data.map(({ id }) => id).join(''), has_more, first_id, last_id];
};

describe(listed.name, () => {
  it('pages through the items in either order', () => {
    expect(idsOf({})).toEqual(['cba', false, 'c', 'a']);
    expect(idsOf({ order: 'asc', limit: '2' })).toEqual(['ab', true, 'a', 'b']);
    expect(idsOf({ order: 'asc', limit: '2', after: 'b' })).toEqual([
      'c',
      false,
      'c',
      'c',
    ]);
    expect(idsOf({ after: 'a' })).toEqual(['', false, null, null]);
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: 'x' },
    { order: 'up' },
    { after: 'd' },
  ])('refuses %j by its name', (query) => {
    const [param] = Object.keys(query);
    expect(() => listed(ITEMS, query)).toThrow(
      expect.objectContaining({ param }) as OpenAiRefusal,
    );
  });
});

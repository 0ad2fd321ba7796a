import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { plainText } from './plain-text';
import { stepOf } from './progress-steps';

describe(plainText.name, () => {
  it.each([
    [
      '**Searching for noodles**\n\nI look for *old* [pages](https://a.example).',
      'Searching for noodles\nI look for old pages.',
    ],
    [
      '## 국수의 역사\n\n- **국수**는 오래됐다\n- 2 * 3',
      '국수의 역사\n국수는 오래됐다\n2 * 3',
    ],
    ['`a_b` and snake_case\nnext', 'a_b and snake_case\nnext'],
    ['```\nlet a = 1;\n```', 'let a = 1;'],
    ['<b>bold</b> & more', '<b>bold</b> & more'],
    ['', ''],
  ])('has the words of %j', (text, words) => {
    expect(plainText(text)).toBe(words);
  });

  it('is what a step of reasoning says', () => {
    const item = {
      type: 'reasoning',
      summary: [{ text: '**One**\n\nfirst' }, { text: '**Two**' }],
    } as unknown as ResponseOutputItem;
    expect(stepOf(item)?.detail).toBe('One\nfirst\nTwo');
  });
});

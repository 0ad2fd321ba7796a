import { urlsIn } from './bare-urls';

describe(urlsIn.name, () => {
  it('finds the URLs of all strings of a value, with each possible ending', () => {
    const value = {
      contents: [
        { type: 'text', text: '[a](https://a.example/x_(y)), www.b.example.' },
        { type: 'value', value: { url: 'https://c.example/?q=1', n: [1] } },
      ],
      said: 'https://d.example/에서 https://e.example/가에서',
    };
    expect(urlsIn(value)).toEqual([
      'https://a.example/x_(y)',
      'www.b.example.',
      'www.b.example',
      'https://c.example/?q=1',
      'https://d.example/에서',
      'https://e.example/가에서',
      'https://e.example/가',
    ]);
  });

  it('finds none in text without URLs', () => {
    expect(urlsIn('a https:/b //c.example ftp:d')).toEqual([]);
    expect(urlsIn(undefined)).toEqual([]);
  });
});

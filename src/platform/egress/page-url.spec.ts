import { pageUrl } from './page-url';

const INTRANET = 'http://10.0.0.5:9000';

describe(pageUrl.name, () => {
  it.each([
    ['http://example.com', 'http://example.com/'],
    ['https://example.com:8443/a?b=c#d', 'https://example.com:8443/a?b=c'],
    ['http://example.com:8080/', 'http://example.com:8080/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://한국.example/가', 'https://xn--3e0b707e.example/%EA%B0%80'],
    [`${INTRANET}/wiki`, `${INTRANET}/wiki`],
  ])('reads %s as %s', (url, href) => {
    expect(pageUrl(url, [INTRANET])?.href).toBe(href);
  });

  it.each([
    'example.com',
    '',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/html,hello',
    'javascript:alert(1)',
    'http://me:pw@example.com/',
    'http://me@10.0.0.5:9000/',
    'http://example.com:22/',
    'http://example.com:6379/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://localhost./',
    'http://metadata.localhost/',
    'http://10.0.0.5/',
    'https://10.0.0.5:9000/',
    'http://10.0.0.5:9001/',
    'http://10.0.0.6:9000/',
    `http://example.com/${'a'.repeat(5_000)}`,
  ])('refuses %s', (url) => {
    expect(pageUrl(url, [INTRANET])).toBeUndefined();
  });
});

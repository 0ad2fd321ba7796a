import dns from 'node:dns';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import {
  docx,
  encryptedPdf,
  paragraph,
  pdf,
  zip,
} from '../../../test/support/pages/files';
import { PageHost } from '../../../test/support/pages/page-host';
import { PageRoom } from '../../../test/support/pages/page-room';
import { TestRedis } from '../../../test/support/redis/redis';
import { type PageFault, PageUnreadable } from './page.types';

const MB = 1024 * 1024;
const ZEROS = Buffer.alloc(30 * MB, ' ');
const DOCX =
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const METADATA = 'http://169.254.169.254/latest/meta-data/';

let redis: TestRedis;
let host: PageHost;
let room: PageRoom;
let impatient: PageRoom;

beforeAll(async () => {
  redis = await TestRedis.start();
  host = await PageHost.start();
  const origins = [host.origin];
  room = await new PageRoom(redis, origins).ready();
  impatient = await new PageRoom(redis, origins, { fetchMs: 300 }).ready();
});
afterAll(async () => {
  await Promise.all([room.close(), impatient.close()]);
  await host.stop();
  await redis.stop();
});

const signal = new AbortController().signal;

/** What `read` throws; a page that has a text fails the test. */
async function faultOf(url: string, by = room): Promise<PageUnreadable> {
  const outcome: unknown = await by.reader.read(url, signal).catch((e) => e);
  if (!(outcome instanceof PageUnreadable))
    throw new Error('not a fault', { cause: outcome });
  return outcome;
}

describe('a hostile page', () => {
  const encoded = (encoding: string, body: Buffer) => (): string =>
    host.page(`/${encodeURIComponent(encoding)}`, body, 'text/html', {
      'content-encoding': encoding,
    });

  it.each<[string, PageFault, () => string]>([
    ['a gzip bomb', 'too_large', encoded('gzip', gzipSync(ZEROS))],
    ['a brotli bomb', 'too_large', encoded('br', brotliCompressSync(ZEROS))],
    ['a zstd bomb', 'too_large', encoded('zstd', zstdCompressSync(ZEROS))],
    [
      'stacked encodings',
      'unreadable',
      encoded('gzip, gzip', gzipSync(gzipSync(ZEROS))),
    ],
    [
      'stacked encodings in two headers',
      'unreadable',
      () =>
        host.page('/two', gzipSync(gzipSync(ZEROS)), 'text/html', {
          'content-encoding': ['gzip', 'gzip'],
        }),
    ],
    ['an unknown encoding', 'unreadable', encoded('toString', ZEROS)],
    ['a damaged body', 'unreadable', encoded('gzip', Buffer.from('<p>plain'))],
    [
      'a body that is cut off',
      'unreadable',
      encoded('br', brotliCompressSync(Buffer.from('<p>text')).subarray(0, 5)),
    ],
    ['a large body', 'too_large', () => host.page('/large', ZEROS)],
    [
      'an endless body',
      'too_large',
      () =>
        host.on('/endless', (_, reply) => {
          reply.writeHead(200, { 'content-type': 'text/html' });
          const more = (): void => {
            while (!reply.destroyed && reply.write(ZEROS.subarray(0, MB)));
          };
          reply.on('drain', more);
          more();
        }),
    ],
    [
      'headers without end',
      'too_large',
      () =>
        host.page('/headers', 'x', 'text/html', {
          'x-long': 'a'.repeat(17_000),
        }),
    ],
    [
      'a connection that ends within the body',
      'unreachable',
      () =>
        host.on('/cut', (_, reply) => {
          reply.writeHead(200, { 'content-length': '1000' });
          reply.write('<p>text', () => reply.destroy());
        }),
    ],
    ['a status of failure', 'http_error', () => `${host.origin}/missing`],
    [
      'a login wall',
      'http_error',
      () => host.on('/wall', (_, reply) => reply.writeHead(401).end('<form>')),
    ],
    ['a picture', 'unsupported_type', () => host.page('/p', 'x', 'image/png')],
    [
      'bytes that are called text',
      'unsupported_type',
      () => host.page('/bytes', Buffer.alloc(500, '\0\x01a'), 'text/plain'),
    ],
    ['no bytes', 'empty', () => host.page('/none', '')],
    [
      'a page that scripts alone fill',
      'empty_shell',
      () =>
        host.page(
          '/app',
          '<html><head><title>App</title></head><body><noscript>Enable JavaScript.</noscript><div id="root"></div><script>render("text")</script></body></html>',
        ),
    ],
    [
      'a page whose text is all hidden',
      'empty',
      () => host.page('/unseen', '<p hidden>a</p><p aria-hidden=true>b</p>'),
    ],
    [
      'a PDF with a password',
      'encrypted',
      () => host.page('/locked', encryptedPdf(), 'application/pdf'),
    ],
    [
      'a PDF that is cut off',
      'unreadable',
      () => host.page('/half', pdf(3).subarray(0, 90), 'application/pdf'),
    ],
    [
      'a PDF that is none',
      'unreadable',
      () => host.page('/not', 'no such document', 'application/pdf'),
    ],
    [
      'a PDF without text',
      'empty',
      () => host.page('/scan', pdf(1, { show: () => '()' }), 'application/pdf'),
    ],
    [
      'a DOCX bomb',
      'too_large',
      () => host.page('/bomb', docx(ZEROS.toString('latin1')), DOCX),
    ],
    [
      'a DOCX bomb that claims to be small',
      'too_large',
      () => host.page('/liar', docx(ZEROS.toString('latin1'), 100), DOCX),
    ],
    [
      'a damaged DOCX',
      'unreadable',
      () => host.page('/torn', docx(paragraph('a')).subarray(0, 200), DOCX),
    ],
    [
      'a DOCX with a password',
      'encrypted',
      () => host.page('/cfb', Buffer.from('d0cf11e0a1b11ae1', 'hex'), DOCX),
    ],
    [
      'another archive',
      'unsupported_type',
      () => host.page('/zip', zip({ 'a.txt': 'a' }), 'application/zip'),
    ],
  ])('of %s is refused as %s', async (_, fault, url) => {
    expect((await faultOf(url())).fault).toBe(fault);
  });

  it.each<[string, () => string]>([
    ['never answers', () => host.on('/silent', () => undefined)],
    [
      'sends a byte now and then',
      () =>
        host.on('/trickle', (_, reply) => {
          reply.writeHead(200, { 'content-type': 'text/html' });
          const timer = setInterval(() => reply.write('a'), 20);
          reply.on('close', () => clearInterval(timer));
        }),
    ],
  ])('that %s is given up', async (_, url) => {
    expect((await faultOf(url(), impatient)).fault).toBe('timeout');
  });

  it('names the status, and nothing that the host says', async () => {
    const url = host.on('/500', (_, reply) =>
      reply.writeHead(503, 'Secret').end('secret'),
    );
    const fault = await faultOf(url);
    expect(fault).toMatchObject({ fault: 'http_error', status: 503 });
    expect(fault.message).toBe('The page cannot be read: http_error');
  });
});

describe('a refused address', () => {
  const refused = [
    METADATA,
    'http://2852039166/',
    'http://2130706433/',
    'http://localhost.:8080/',
    'http://127.0.0.1:1/',
    'http://[::1]:8080/',
    'https://10.0.0.1/',
    'http://user:secret@example.com/',
    'http://example.com:22/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hello',
    '//',
  ];

  it.each(refused)('is %s', async (url) => {
    expect((await faultOf(url)).fault).toBe('address_refused');
  });

  it.each(refused)('is %s after a redirect', async (target) => {
    const url = host.redirect('/away', target);
    expect((await faultOf(url)).fault).toBe('address_refused');
  });

  it.each(refused.filter((target) => target !== '//'))(
    'is %s after a page that leads there by itself',
    async (target) => {
      const refresh = `<meta http-equiv=refresh content="0; url=${target}">`;
      const url = host.page('/soon', refresh);
      expect((await faultOf(url)).fault).toBe('address_refused');
    },
  );

  it('is a name that leads to a private address, whatever it led to before', async () => {
    const lookup = jest.spyOn(dns, 'lookup');
    lookup.mockImplementation(((_: string, __: object, done: Function) =>
      process.nextTick(done, null, [
        { address: '127.0.0.1', family: 4 },
      ])) as unknown as typeof dns.lookup);
    const fault = await faultOf('http://rebound.example:8080/');
    lookup.mockRestore();
    expect(fault.fault).toBe('address_refused');
  });

  it('ends a circle of redirects', async () => {
    const url = host.redirect('/circle', '/circle');
    expect((await faultOf(url)).fault).toBe('http_error');
    expect(host.count('/circle')).toBe(6);
  });

  it('ends a circle of pages that lead to each other', async () => {
    const refresh = (to: string): string =>
      `<meta http-equiv="Refresh" content="0;URL='${to}'"><p>Wait.</p>`;
    host.page('/ping', refresh('/pong'));
    host.page('/pong', refresh('/ping'));
    expect((await faultOf(`${host.origin}/ping`)).fault).toBe('http_error');
    expect(host.count('/ping') + host.count('/pong')).toBe(6);
  });
});

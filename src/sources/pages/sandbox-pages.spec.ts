import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { PageRoom } from '../../../test/support/pages/page-room';
import { TestRedis } from '../../../test/support/redis/redis';
import type { PageFault } from './page.types';

describe('a page of the web', () => {
  const { signal } = new AbortController();
  let redis: TestRedis;
  let sandbox: Sandbox;
  let room: PageRoom;

  beforeAll(async () => {
    redis = await TestRedis.start();
    sandbox = await startSandbox({ port: 0 });
    room = await new PageRoom(redis, [sandbox.url]).ready();
  });
  afterAll(async () => {
    await room.close();
    await sandbox.close();
    await redis.stop();
  });

  const read = (path: string) =>
    room.reader.read(`${sandbox.url}/pages/${path}`, signal);

  it.each<[string, PageFault]>([
    ['challenge', 'challenge'],
    ['captcha', 'captcha'],
    ['consent-wall', 'consent_wall'],
    ['paywall', 'paywall'],
    ['soft-404', 'soft_404'],
    ['empty-shell', 'empty_shell'],
    ['unauthorized', 'http_error'],
    ['error', 'http_error'],
    ['redirect-loop', 'http_error'],
    ['empty', 'empty'],
    ['redirect-private', 'address_refused'],
    ['endless', 'too_large'],
    ['bomb', 'too_large'],
    ['binary', 'unsupported_type'],
  ])('in place of which stands %s is left out as %s', async (name, fault) => {
    const opened = read(`hostile/${name}/en/kimchi`);
    await expect(opened).rejects.toMatchObject({ fault });
  });

  it('that robots.txt forbids is left out as robots', async () => {
    const opened = read('disallowed/en/kimchi');
    await expect(opened).rejects.toMatchObject({ fault: 'robots' });
  });

  it.each([
    ['json-ld', 'en/kimchi', 'Gimjang, the late autumn days'],
    ['windows-1252', 'en/kimchi', 'It’s a “café” – so the owner’s sign said…'],
    ['cp949', 'ko/hangul', '똠방각하는 소설의 제목입니다.'],
    ['wrong-charset', 'ko/kimchi', '김치는 젖산균이 발효시킵니다.'],
    ['nested', 'en/kimchi', 'deep'],
    ['table', 'en/kimchi', '\nJar\tWeight\tPlace\nJar 1\t3 kg\tcellar 1\n'],
    ['long-pdf', 'en/kimchi', 'Page 100'],
  ])('in the form of %s is read right', async (name, of, text) => {
    const page = await read(`hostile/${name}/${of}`);
    expect(page.text).toContain(text);
    expect(page.truncated).toBeUndefined();
  });

  it('that only leads to another is that other', async () => {
    const page = await read('hostile/refresh/en/kimchi');
    expect(page.url).toBe(`${sandbox.url}/pages/en/kimchi`);
  });
});

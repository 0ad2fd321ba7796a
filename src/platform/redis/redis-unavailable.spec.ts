import { once } from 'node:events';
import { Redis, ReplyError } from 'ioredis';
import { isRedisUnavailable } from './redis-unavailable';

describe(isRedisUnavailable.name, () => {
  it.each(['OOM command not allowed', 'LOADING Redis is', 'READONLY You'])(
    'recognises the reply %s',
    (message) => {
      expect(isRedisUnavailable(new ReplyError(message))).toBe(true);
    },
  );

  it.each([
    'ERR Error running script (call to f_6f43): @user_script:1: -READONLY You',
    "ERR The user executing the script can't publish to the channel",
    'NOPERM this user has no permissions to run',
    'WRONGPASS invalid username-password pair',
  ])('recognises a refusal however it is wrapped: %s', (message) => {
    expect(isRedisUnavailable(new ReplyError(message))).toBe(true);
  });

  it('recognises a transaction by what refused its commands', () => {
    const aborted = new ReplyError('EXECABORT Transaction discarded');
    expect(isRedisUnavailable(aborted)).toBe(false);
    const previousErrors = [new ReplyError('READONLY You')];
    expect(isRedisUnavailable(Object.assign(aborted, { previousErrors }))).toBe(
      true,
    );
  });

  it.each([
    new ReplyError('WRONGTYPE Operation against a key'),
    new ReplyError("ERR unknown command 'FOO'"),
    new TypeError('x is undefined'),
    new DOMException('stopped', 'AbortError'),
    'OOM ',
    undefined,
  ])('takes %p for what it is', (error) => {
    expect(isRedisUnavailable(error)).toBe(false);
  });

  it.each([
    "Stream isn't writeable and enableOfflineQueue options is false",
    'Command timed out',
    'Connection is closed.',
    'Command aborted due to connection close',
  ])('knows what ioredis says: %s', (message) => {
    expect(isRedisUnavailable(new Error(message))).toBe(true);
  });

  it('recognises the error of ioredis when no server listens', async () => {
    const client = new Redis(1, '127.0.0.1', {
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    const connecting = once(client, 'error');
    const refused = client.ping().catch((error: unknown) => error);
    expect(isRedisUnavailable(await refused)).toBe(true);
    expect(isRedisUnavailable((await connecting)[0])).toBe(true);
  });
});

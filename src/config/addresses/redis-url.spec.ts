import { parseRedisUrl } from './redis-url';

const open = { tls: false };

describe(parseRedisUrl.name, () => {
  it.each([
    [
      'redis://localhost',
      { kind: 'single', host: 'localhost', port: 6379, db: 0, ...open },
    ],
    [
      'rediss://me:p%40ss@redis.example:6380/3',
      {
        kind: 'single',
        host: 'redis.example',
        port: 6380,
        db: 3,
        tls: true,
        username: 'me',
        password: 'p@ss',
      },
    ],
    [
      'redis://:secret@[::1]:7000',
      {
        kind: 'single',
        host: '::1',
        port: 7000,
        db: 0,
        password: 'secret',
        ...open,
      },
    ],
    [
      'unix:///run/redis.sock?db=2',
      { kind: 'socket', path: '/run/redis.sock', db: 2 },
    ],
    [
      'redis+cluster://a:7000,b',
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 7000 },
          { host: 'b', port: 6379 },
        ],
        ...open,
      },
    ],
    [
      'rediss+sentinel://a,b:26380/mymaster/1',
      {
        kind: 'sentinel',
        sentinels: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26380 },
        ],
        master: 'mymaster',
        db: 1,
        tls: true,
      },
    ],
  ])('reads %s', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target);
  });

  it.each([
    ['http://localhost', 'is not a Redis URL'],
    ['redis://', 'is not a Redis URL'],
    ['redis://a,b', 'several hosts'],
    ['redis://host:0', 'port outside'],
    ['redis://host:99999', 'port outside'],
    ['redis://ho st:x', 'host that cannot be read'],
    ['redis://host/db', 'not a number'],
    ['unix://', 'does not name the socket'],
    ['redis+cluster://a,b/1', 'only database 0'],
    ['redis+sentinel://a', 'does not name the master'],
  ])('says the fault of %s', (url, fault) => {
    expect(() => parseRedisUrl(url)).toThrow(fault);
  });
});

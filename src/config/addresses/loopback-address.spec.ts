import { isLoopback } from './loopback-address';

describe(isLoopback.name, () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1', '[::1]'])(
    'takes %s for this machine',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each([
    '',
    '0.0.0.0',
    '[::]',
    '128.0.0.1',
    '127.0.0.1.evil.example',
    '127.0.0.999',
    'localhost.evil.example',
    'localhost:8080',
    '::ffff:127.0.0.1',
  ])('takes "%s" for another', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

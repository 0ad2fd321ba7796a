import { FailedLogins, networkOf } from './failed-logins';

const limited = {
  code: 'rate_limited',
  retryAfterSeconds: expect.any(Number) as number,
};

describe(FailedLogins.name, () => {
  it('refuses an address that fails too often, and no other', async () => {
    const failures = new FailedLogins();
    for (let n = 0; n < 30; n += 1) {
      await failures.check('192.0.2.1');
      await failures.count('192.0.2.1');
    }
    await expect(failures.check('192.0.2.1')).rejects.toMatchObject(limited);
    await expect(failures.count('192.0.2.1')).rejects.toMatchObject(limited);
    await failures.check('192.0.2.2');
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['', ''],
  ])('counts %p as %p', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('counts the addresses of one IPv6 subscriber as one', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::'));
    expect(networkOf('2001:db8:1:3::')).not.toBe(networkOf('2001:db8:1:2::'));
  });
});

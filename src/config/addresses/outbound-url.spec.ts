import { outboundUrlFault } from './outbound-url';

describe(outboundUrlFault.name, () => {
  it.each([
    'https://hooks.example.com/sonde?token=x',
    'https://hooks.example.com:8443',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
  ])('finds nothing wrong with %s', (url) => {
    expect(outboundUrlFault(url, false)).toBeUndefined();
  });

  it.each([
    ['hooks.example.com', 'is not an https URL'],
    ['', 'is not an https URL'],
    ['http://hooks.example.com', 'is not an https URL'],
    ['ftp://hooks.example.com', 'is not an https URL'],
    ['file:///etc/passwd', 'is not an https URL'],
    ['https://me:pw@hooks.example.com', 'holds credentials'],
    ['https://me@hooks.example.com', 'holds credentials'],
    ['https://hooks.example.com/#top', 'has a fragment'],
    ['https://localhost', 'is not at a public address'],
    ['https://LOCALHOST.:8443/', 'is not at a public address'],
    ['https://a.localhost/', 'is not at a public address'],
    ['https://127.0.0.1/', 'is not at a public address'],
    ['https://127.1/', 'is not at a public address'],
    ['https://2130706433/', 'is not at a public address'],
    ['https://0x7f.0.0.1/', 'is not at a public address'],
    ['https://0177.0.0.1/', 'is not at a public address'],
    ['https://127.0.0.1./', 'is not at a public address'],
    ['https://１２７.0.0.1/', 'is not at a public address'],
    ['https://169.254.169.254/latest/meta-data', 'is not at a public address'],
    ['https://[::1]/', 'is not at a public address'],
    ['https://[::ffff:127.0.0.1]/', 'is not at a public address'],
    ['https://[::127.0.0.1]/', 'is not at a public address'],
    ['https://[::]/', 'is not at a public address'],
  ])('says of %s that it %s', (url, fault) => {
    expect(outboundUrlFault(url, false)).toBe(fault);
  });

  it('allows http and any address where the operator does, but nothing else', () => {
    expect(outboundUrlFault('http://127.0.0.1:1/x', true)).toBeUndefined();
    expect(outboundUrlFault('https://localhost/', true)).toBeUndefined();
    expect(outboundUrlFault('ftp://127.0.0.1/', true)).toMatch('http(s)');
    expect(outboundUrlFault('http://a:b@127.0.0.1/', true)).toMatch(
      'credential',
    );
  });
});

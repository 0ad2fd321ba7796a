import type { FastifyRequest } from 'fastify';
import type { AppError } from '../errors';
import { checkHost, type HostRules } from './host-check';

const ANONYMOUS = { allowedHosts: [], corsOrigins: [], anonymous: true };
const KEYED = { ...ANONYMOUS, anonymous: false };
const LISTED = { ...ANONYMOUS, allowedHosts: ['sonde.example'] };

function answer(
  headers: { host?: string; origin?: string },
  rules: HostRules,
  config = {},
): string {
  try {
    const request = { headers, routeOptions: { config } };
    checkHost(request as unknown as FastifyRequest, rules);
    return 'served';
  } catch (refusal) {
    return (refusal as AppError).code;
  }
}

describe(checkHost.name, () => {
  it.each([
    ['localhost', 'served'],
    ['LOCALHOST:8080', 'served'],
    ['127.0.0.1:8080', 'served'],
    ['127.1.2.3', 'served'],
    ['[::1]:8080', 'served'],
    ['192.168.0.7:8080', 'served'],
    ['[2001:db8::7]', 'served'],
    ['rebind.evil.example', 'host_not_allowed'],
    ['localhost.evil.example:80', 'host_not_allowed'],
    ['127.0.0.1.evil.example', 'host_not_allowed'],
    ['evil.example:127.0.0.1', 'host_not_allowed'],
    ['localhost@evil.example', 'host_not_allowed'],
    ['', 'host_not_allowed'],
    [undefined, 'host_not_allowed'],
  ])('without keys answers the host %j with %s', (host, expected) => {
    expect(answer({ host }, ANONYMOUS)).toBe(expected);
  });

  it('allows the listed names and no others, with keys or without', () => {
    for (const rules of [LISTED, { ...LISTED, anonymous: false }]) {
      expect(answer({ host: 'Sonde.example:443' }, rules)).toBe('served');
      expect(answer({ host: 'localhost' }, rules)).toBe('served');
      expect(answer({ host: 'a.sonde.example' }, rules)).toBe(
        'host_not_allowed',
      );
    }
  });

  it('allows every name where a key is required and none is listed', () => {
    const page = { host: 'any.example', origin: 'https://evil.example' };
    expect(answer(page, KEYED)).toBe('served');
    expect(answer(page, { ...ANONYMOUS, allowedHosts: ['*'] })).toBe('served');
  });

  it.each([
    ['http://localhost:5173', 'served'],
    ['http://[::1]:5173', 'served'],
    ['http://192.168.0.7:8080', 'served'],
    ['https://app.example', 'served'],
    ['http://192.168.0.8', 'origin_not_allowed'],
    ['http://192.168.0.7', 'origin_not_allowed'],
    ['https://app.example.evil.example', 'origin_not_allowed'],
    ['https://evil.example', 'origin_not_allowed'],
    ['null', 'origin_not_allowed'],
    ['', 'origin_not_allowed'],
  ])('without keys answers a page of %j with %s', (origin, expected) => {
    const host = '192.168.0.7:8080';
    const rules = { ...ANONYMOUS, corsOrigins: ['https://app.example'] };
    expect(answer({ host, origin }, rules)).toBe(expected);
  });

  it('checks no name where the body is signed', () => {
    const headers = { host: 'tunnel.example' };
    expect(answer(headers, ANONYMOUS, { rawBodyLimit: 1 })).toBe('served');
  });

  it.each([
    [KEYED, 'https://evil.example', 'origin_not_allowed'],
    // Its name is not known to be that of the service.
    [KEYED, 'http://sonde.example', 'origin_not_allowed'],
    [KEYED, 'http://localhost:6274', 'served'],
    [{ ...LISTED, anonymous: false }, 'http://sonde.example', 'served'],
    [
      { ...LISTED, anonymous: false },
      'http://evil.example',
      'origin_not_allowed',
    ],
    [KEYED, undefined, 'served'],
  ])(
    'with %j answers a page of %j with %s where the origin is always checked',
    (rules, origin, expected) => {
      const headers = { host: 'sonde.example', origin };
      expect(answer(headers, rules, { checksOrigin: true })).toBe(expected);
      expect(answer(headers, rules)).toBe('served');
    },
  );
});

import { isDeepStrictEqual } from 'node:util';

const NAME = /^\$[a-z_]+$/;

/**
 * Compares requests with the expected ones. `$name` matches any string the first time and the same string afterwards.
 */
export class Expectation {
  names = new Map();

  /** The differences of a request; empty if it is as expected. */
  check(expected, got, body) {
    return [
      ...this.difference('method', expected.method, got.method),
      ...this.path(expected.path, got.path),
      ...this.headers(expected, got.headers),
      ...this.body(expected.body, body),
    ];
  }

  /** The order of query parameters is not significant. */
  path(expected, got) {
    const [want, have] = [expected, got].map((path) => {
      const url = new URL(path, 'http://any');
      url.searchParams.sort();
      return [url.pathname, ...url.searchParams].flat();
    });
    return this.matches(want, have)
      ? []
      : [this.describe('path', expected, got)];
  }

  headers({ headers = {}, absent = [] }, got) {
    return [
      ...Object.entries(headers).flatMap(([name, value]) =>
        this.difference(`header ${name}`, value, got[name.toLowerCase()]),
      ),
      ...absent.flatMap((name) =>
        this.difference(`header ${name}`, undefined, got[name.toLowerCase()]),
      ),
    ];
  }

  body(expected, text) {
    if (expected === undefined) return this.difference('body', '', text);
    try {
      return this.difference('body', expected, JSON.parse(text));
    } catch {
      return this.difference('body', expected, text);
    }
  }

  difference(what, expected, got) {
    return this.matches(expected, got)
      ? []
      : [this.describe(what, expected, got)];
  }

  matches(expected, got) {
    if (typeof expected === 'string' && NAME.test(expected))
      return this.named(expected, got);
    if (!isObject(expected) || !isObject(got))
      return isDeepStrictEqual(expected, got);
    const keys = Object.keys(expected);
    return (
      Array.isArray(expected) === Array.isArray(got) &&
      keys.length === Object.keys(got).length &&
      keys.every((key) => this.matches(expected[key], got[key]))
    );
  }

  named(name, got) {
    if (typeof got !== 'string' || got === '') return false;
    if (!this.names.has(name)) this.names.set(name, got);
    return this.names.get(name) === got;
  }

  describe(what, expected, got) {
    const resolved = (_key, value) => this.names.get(value) ?? value;
    const [want, have] = [expected, got].map(
      (value) => JSON.stringify(value, resolved) ?? 'none',
    );
    return `${what}: expected ${want}, got ${have}`;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

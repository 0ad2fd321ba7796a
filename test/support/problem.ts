import type { Reply } from './client';

/** Internals of the machine: stacks, files, addresses. */
const INNARDS =
  /\bat .+:\d+:\d+|node_modules|\/(work|dist|src|tmp|home)\/|127\.0\.0\.1|localhost|\.sock|redis/i;

/**
 * Checks what every error reply must satisfy. `paths`: all fields that it must name, in any order. `more`: further members
 * of the body.
 */
export function expectProblem(
  { status, headers, body }: Reply,
  expected: { status: number; code: string; paths?: string[]; more?: object },
): void {
  expect({ status, body }).toEqual({
    status: expected.status,
    body: {
      type: `urn:sonde:error:${expected.code}`,
      title: expect.stringMatching(/./),
      status: expected.status,
      detail: expect.stringMatching(/./),
      code: expected.code,
      errors: expect.any(Array),
      request_id: headers.get('x-request-id'),
      ...expected.more,
    },
  });
  expect(headers.get('content-type')).toMatch('application/problem+json');
  expect(JSON.stringify(body)).not.toMatch(INNARDS);
  if (expected.paths) {
    const named = (body.errors as { path: string }[]).map(({ path }) => path);
    expect(named.sort()).toEqual(expected.paths.sort());
  }
}

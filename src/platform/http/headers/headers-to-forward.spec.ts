import { AppError } from '../../errors';
import { readForwarded } from './headers-to-forward';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe(readForwarded.name, () => {
  it('forwards the listed headers and no others', () => {
    const headers = {
      'x-tenant-id': 'a b',
      'x-other': 'c',
      authorization: 'Bearer secret',
      cookie: 'd',
    };
    expect(readForwarded(headers, ['x-tenant-id', 'x-missing'])).toEqual({
      'x-tenant-id': 'a b',
    });
    expect(readForwarded(headers, [])).toBeUndefined();
  });

  it('forwards a trace and its state, listed or not', () => {
    const trace = { traceparent: TRACE, tracestate: 'vendor=1' };
    expect(readForwarded(trace, [])).toEqual(trace);
  });

  it.each([
    ['', 'a=1'],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331', 'a=1'],
    [TRACE.toUpperCase(), 'a=1'],
    [TRACE.replace(/^00/, 'ff'), 'a=1'],
    [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, 'a=1'],
    [`00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, 'a=1'],
    [`${TRACE}\r\nx-evil: 1`, 'a=1'],
  ])('takes neither where %j is no trace', (traceparent, tracestate) => {
    expect(readForwarded({ traceparent, tracestate }, [])).toBeUndefined();
  });

  it.each(['é', 'a'.repeat(513)])(
    'drops a state that is not valid',
    (state) => {
      const headers = { traceparent: TRACE, tracestate: state };
      expect(readForwarded(headers, [])).toEqual({ traceparent: TRACE });
    },
  );

  it.each(['a'.repeat(1_025), 'line\nbreak'])(
    'refuses a value that is too long or not printable, by its name',
    (value) => {
      const read = () => readForwarded({ 'x-a': value }, ['x-a']);
      expect(read).toThrow(AppError);
      expect(read).toThrow('Not valid: x-a.');
    },
  );
});

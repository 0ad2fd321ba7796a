import fc from 'fast-check';
import { ToolError } from '../../tools/tool-error';
import { alarmTime } from './alarm-time';

const NOW = Date.parse('2027-01-10T12:00:00Z');
const DAY_MS = 86_400_000;
const ZONES = [
  'UTC',
  'Asia/Seoul',
  'Asia/Kathmandu',
  'America/New_York',
  'America/St_Johns',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
/** Their clocks do not change. */
const STEADY = ['UTC', 'Asia/Seoul', 'Asia/Kathmandu', 'Pacific/Kiritimati'];

const at = (time: string, zone = 'UTC') =>
  new Date(alarmTime(time, zone, NOW)).toISOString();

function faultOf(time: string, zone = 'UTC', nowMs = NOW): ToolError {
  try {
    alarmTime(time, zone, nowMs);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return error as ToolError;
  }
  throw new Error('no fault');
}

/** What a clock on the wall shows there. */
function local(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(instant)
    .replace(' ', 'T');
}

describe(alarmTime.name, () => {
  it.each([
    ['2027-03-01T08:00:00Z', '2027-03-01T08:00:00.000Z'],
    ['2027-03-01T08:00Z', '2027-03-01T08:00:00.000Z'],
    ['2027-03-01T08:00:00+09:00', '2027-02-28T23:00:00.000Z'],
    ['2027-03-01T08:00:00+0900', '2027-02-28T23:00:00.000Z'],
    ['2027-03-01T08:00:00-03:30', '2027-03-01T11:30:00.000Z'],
    ['2027-03-01T08:00:00.5Z', '2027-03-01T08:00:00.500Z'],
  ])('takes %s by its offset, whatever the zone', (time, expected) => {
    expect(at(time)).toBe(expected);
    expect(at(time, 'Asia/Seoul')).toBe(expected);
  });

  it.each([
    ['Asia/Seoul', '2027-02-28T23:00:00.000Z'],
    ['Asia/Kathmandu', '2027-03-01T02:15:00.000Z'],
    ['America/New_York', '2027-03-01T13:00:00.000Z'],
    ['Pacific/Kiritimati', '2027-02-28T18:00:00.000Z'],
    ['Pacific/Pago_Pago', '2027-03-01T19:00:00.000Z'],
    ['UTC', '2027-03-01T08:00:00.000Z'],
  ])('takes a time without an offset as local to %s', (zone, expected) => {
    expect(at('2027-03-01T08:00:00', zone)).toBe(expected);
    expect(at('2027-03-01T08:00', zone)).toBe(expected);
  });

  it.each([
    ['America/New_York', '2027-03-14T02:30', '2027-03-14T07:30:00.000Z'],
    ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00.000Z'],
    ['Australia/Lord_Howe', '2027-10-03T02:15', '2027-10-02T15:45:00.000Z'],
  ])('moves what the clocks of %s skip on with them', (zone, time, then) => {
    expect(at(time, zone)).toBe(then);
  });

  it.each([
    ['America/New_York', '2027-11-07T01:30', '2027-11-07T05:30:00.000Z'],
    ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45:00.000Z'],
  ])('takes the first of two in %s', (zone, time, then) => {
    expect(at(time, zone)).toBe(then);
  });

  it.each([
    ['America/New_York', '2027-03-14T01:59', '2027-03-14T06:59:00.000Z'],
    ['America/New_York', '2027-03-14T03:00', '2027-03-14T07:00:00.000Z'],
    ['America/New_York', '2027-11-07T02:00', '2027-11-07T07:00:00.000Z'],
    ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00:00.000Z'],
    ['Europe/Berlin', '2027-10-31T03:00', '2027-10-31T02:00:00.000Z'],
  ])('is exact beside the change in %s at %s', (zone, time, expected) => {
    expect(at(time, zone)).toBe(expected);
  });

  it.each([
    'tomorrow',
    '08:00',
    '2027-03-01',
    '2027-02-30T08:00:00',
    '2027-02-29T08:00:00Z',
    '2027-13-01T08:00:00Z',
    '2027-03-01T24:00:00Z',
    '2027-03-01T08:61:00Z',
    '2027-03-01 08:00:00',
    '2027-03-01T08:00:00[Asia/Seoul]',
    '+012027-03-01T08:00:00Z',
    'Z',
    '',
    '\n2027-03-01T08:00:00Z',
  ])('refuses %j as no time', (time) => {
    expect(faultOf(time)).toMatchObject({
      code: 'INVALID_TIME',
      message: expect.stringContaining('ISO-8601'),
    });
  });

  it('refuses an offset that there is not', () => {
    expect(faultOf('2027-03-01T08:00:00+25:00').message).toContain('offset');
  });

  it('refuses what is past, now included, and says what time it is', () => {
    const message = 'The time is past: it is 2027-01-10T12:00:00.000Z.';
    expect(faultOf('2027-01-10T12:00:00Z').message).toBe(message);
    expect(faultOf('2027-01-10T20:59:59', 'Asia/Seoul').message).toBe(message);
    expect(at('2027-01-10T21:00:01', 'Asia/Seoul')).toBe(
      '2027-01-10T12:00:01.000Z',
    );
  });

  it('refuses what is over a year away', () => {
    expect(at('2028-01-11T12:00:00Z')).toBe('2028-01-11T12:00:00.000Z');
    expect(faultOf('2028-01-11T12:00:01Z').message).toContain('over a year');
    expect(faultOf('9999-12-31T23:59:59Z').message).toContain('over a year');
  });

  it('brings any instant back from any zone: within an hour where clocks change, exactly elsewhere', () => {
    const seconds = fc.integer({ min: 1, max: (365 * DAY_MS) / 1000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(...ZONES), (later, zone) => {
        const instant = NOW + later * 1000;
        const found = alarmTime(local(instant, zone), zone, NOW - DAY_MS);
        const off = instant - found;
        if (STEADY.includes(zone)) expect(off).toBe(0);
        // The same wall time twice: the first.
        expect(off === 0 || (off > 0 && off <= 3_600_000)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never fails but with a ToolError', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...ZONES), (time, zone) => {
        expect(faultOf(time, zone).code).toBe('INVALID_TIME');
      }),
    );
  });
});

import fc from 'fast-check';
import { declarationsOf } from '../tool.decorator';
import { CurrentDatetimeTool, datetimeIn } from './current-datetime.tool';

const [{ options }] = declarationsOf(CurrentDatetimeTool);

describe(CurrentDatetimeTool.name, () => {
  it.each([
    ['Asia/Seoul', '2026-11-21T18:20:00+09:00', 'Saturday'],
    ['UTC', '2026-11-21T09:20:00+00:00', 'Saturday'],
    ['Asia/Kolkata', '2026-11-21T14:50:00+05:30', 'Saturday'],
    ['Asia/Kathmandu', '2026-11-21T15:05:00+05:45', 'Saturday'],
    ['America/St_Johns', '2026-11-21T05:50:00-03:30', 'Saturday'],
    ['America/Los_Angeles', '2026-11-21T01:20:00-08:00', 'Saturday'],
    ['Pacific/Kiritimati', '2026-11-21T23:20:00+14:00', 'Saturday'],
    ['Etc/GMT+12', '2026-11-20T21:20:00-12:00', 'Friday'],
  ])('tells the time of %s', (zone, datetime, day_of_week) => {
    expect(datetimeIn(zone, new Date('2026-11-21T09:20:00.999Z'))).toEqual({
      datetime,
      time_zone: zone,
      day_of_week,
      utc: '2026-11-21T09:20:00Z',
    });
  });

  it.each([
    ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
  ])('keeps daylight saving time at %s', (moment, datetime) => {
    const result = datetimeIn('Europe/Berlin', new Date(moment));
    expect(result.datetime).toBe(datetime);
  });

  it.each([
    ['Asia/Seoul', '1960-01-01T00:00:00Z', '1960-01-01T08:30:00+08:30'],
    ['Asia/Seoul', '1900-01-01T00:00:00Z', '1900-01-01T08:27:00+08:27'],
    ['Africa/Monrovia', '1960-01-01T00:00:00Z', '1959-12-31T23:16:00-00:44'],
  ])('knows the offset that %s had at %s', (zone, moment, datetime) => {
    expect(datetimeIn(zone, new Date(moment)).datetime).toBe(datetime);
  });

  it('returns the same moment in every zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const moments = fc.date({
      min: new Date('1850-01-01T00:00:00Z'),
      max: new Date('2150-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, moments, (zone, moment) => {
        const result = datetimeIn(zone, moment);
        const seconds = Math.floor(moment.getTime() / 1000);
        expect(Date.parse(result.datetime) / 1000).toBe(seconds);
        expect(Date.parse(result.utc) / 1000).toBe(seconds);
        expect(options.returns?.safeParse(result).success).toBe(true);
      }),
    );
  });

  it('uses the zone of the server where none is given', () => {
    const result = new CurrentDatetimeTool().run({});
    expect(result.time_zone).toBe(
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  });

  it.each(['Mars/Olympus', '', 'Asia/Seoul; DROP TABLE', '한국'])(
    'refuses the zone "%s" with an example',
    (time_zone) => {
      const { error } = options.parameters.safeParse({ time_zone });
      expect(error?.issues).toMatchObject([
        {
          path: ['time_zone'],
          message: 'must be an IANA time zone, e.g. Asia/Seoul',
        },
      ]);
    },
  );
});

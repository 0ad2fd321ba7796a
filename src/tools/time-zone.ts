import { z } from 'zod';

/** The name of a time zone, as an argument of a tool. Chat fills in that of its request where it is called `time_zone`. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone, e.g. Asia/Seoul')
  .optional()
  .describe('IANA time zone, e.g. Asia/Seoul. Left out: that of the user.');

export function serverTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** How far the clocks of the zone are ahead of UTC at a moment, in whole minutes; offsets had seconds until about 1900. */
export function minutesAhead(zone: string, moment: number | Date): number {
  const name = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  }).format(moment);
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (!sign) return 0;
  const ahead = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -ahead : ahead;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

import { z } from 'zod';

/** A time zone argument of a tool. A chat fills in that of its request if the argument is named `time_zone`. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone, e.g. Asia/Seoul')
  .optional()
  .describe('IANA time zone, e.g. Asia/Seoul. Default: that of the user.');

export function serverTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The offset of the zone from UTC at a moment, in whole minutes; offsets had seconds until about 1900. */
export function minutesAhead(zone: string, moment: number | Date): number {
  const name = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'longOffset',
  }).format(moment);
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (!sign) return 0;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

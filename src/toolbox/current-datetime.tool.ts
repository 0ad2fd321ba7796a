import { z } from 'zod';
import { Tool } from '../tools/tool.decorator';

const parameters = z.object({
  time_zone: z
    .string()
    .refine(isTimeZone, 'must be an IANA time zone, such as Asia/Seoul or UTC')
    .optional()
    .describe('IANA time zone, e.g. Asia/Seoul. Left out: that of the user.'),
});

const returns = z.object({
  datetime: z.string().describe('Local time, ISO 8601 with the offset.'),
  time_zone: z.string(),
  day_of_week: z.string().describe('In English.'),
  utc: z.string().describe('The same moment in UTC.'),
});

/** A model does not know what day it is. */
@Tool({
  name: 'get_current_datetime',
  description:
    'Returns the current date, time and day of the week. Use it whenever an answer depends on what day or time it is, ' +
    'such as "tomorrow", a deadline, an age, or the time in another place.',
  parameters,
  returns,
  annotations: { title: 'Current date and time', readOnlyHint: true },
})
export class CurrentDatetimeTool {
  run({ time_zone }: z.infer<typeof parameters>): z.infer<typeof returns> {
    const ofServer = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return datetimeIn(time_zone ?? ofServer, new Date());
  }
}

export function datetimeIn(
  timeZone: string,
  moment: Date,
): z.infer<typeof returns> {
  const offset = offsetOf(timeZone, moment);
  const shift =
    Date.parse('1970-01-01') - Date.parse(`1970-01-01T00:00${offset}`);
  // Its UTC fields are what the clocks of the zone show.
  const local = new Date(moment.getTime() + shift);
  return {
    datetime: `${toSeconds(local)}${offset}`,
    time_zone: timeZone,
    day_of_week: local.toLocaleDateString('en-US', {
      weekday: 'long',
      timeZone: 'UTC',
    }),
    utc: `${toSeconds(moment)}Z`,
  };
}

/** `+09:00`. Seconds, as offsets had them before about 1900, have no place in ISO 8601 and are left out. */
function offsetOf(timeZone: string, moment: Date): string {
  const name = new Intl.DateTimeFormat('en-US', {
    timeZone,
    timeZoneName: 'longOffset',
  }).format(moment);
  return /GMT([+-]\d\d:\d\d)/.exec(name)?.[1] ?? '+00:00';
}

function toSeconds(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

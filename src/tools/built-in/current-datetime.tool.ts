import { z } from 'zod';
import { minutesAhead, serverTimeZone, timeZone } from '../time-zone';
import { Tool } from '../tool.decorator';

const parameters = z.object({ time_zone: timeZone });

const returns = z.object({
  datetime: z.string().describe('Local time, ISO 8601 with the offset.'),
  time_zone: z.string(),
  day_of_week: z.string().describe('In English.'),
  utc: z.string().describe('The same moment in UTC.'),
});

/** Models do not know the current date. */
@Tool({
  name: 'get_current_datetime',
  description:
    'Returns the current date, time and day of the week. Use it whenever an answer depends on what day or time it is, ' +
    'such as "tomorrow", a deadline, an age, or the time in another place.',
  parameters,
  returns,
  annotations: {
    title: 'Current date and time',
    readOnlyHint: true,
    openWorldHint: false,
  },
})
export class CurrentDatetimeTool {
  run({ time_zone }: z.infer<typeof parameters>): z.infer<typeof returns> {
    return datetimeIn(time_zone ?? serverTimeZone(), new Date());
  }
}

export function datetimeIn(
  timeZone: string,
  moment: Date,
): z.infer<typeof returns> {
  const ahead = minutesAhead(timeZone, moment);
  // Its UTC fields show the local time of the zone.
  const local = new Date(moment.getTime() + ahead * 60_000);
  return {
    datetime: `${toSeconds(local)}${offsetOf(ahead)}`,
    time_zone: timeZone,
    day_of_week: local.toLocaleDateString('en-US', {
      weekday: 'long',
      timeZone: 'UTC',
    }),
    utc: `${toSeconds(moment)}Z`,
  };
}

/** `+09:00` */
function offsetOf(minutes: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const [hour, minute] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map(
    (part) => String(Math.trunc(part)).padStart(2, '0'),
  );
  return `${sign}${hour}:${minute}`;
}

function toSeconds(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

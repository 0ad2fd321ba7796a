import type { EventTicket } from './event-ticket';
import { rfc3339 } from '../../../platform/rfc3339';

/** Opens the events of one record, and nothing else, for a minute. */
export class EventTicketDto {
  /** Goes into the URL: `/events?ticket=…`. */
  ticket: string;

  /** When it stops opening the events. A stream that is open by then continues. */
  expires_at: string;
}

export function toTicketDto({
  ticket,
  expiresMs,
}: EventTicket): EventTicketDto {
  return { ticket, expires_at: rfc3339(expiresMs)! };
}

import { isTimeZone } from '../contact/time-zones.ts';

interface Zones {
  /** The reader's (IANA); undefined where it is not known. */
  readonly timeZone: string | undefined;
  /** The sender's; null where it is not known. */
  readonly senderZone: string | null;
}

/**
 * Formats a day and a time that somebody named, in the reader's language and time zone. Where that zone is not known, they
 * are in the sender's, and name it. A zone that this program does not know is UTC.
 */
export function momentInWords(iso: string, tag: string, { timeZone, senderZone }: Zones): string {
  const isReaders = timeZone !== undefined && isTimeZone(timeZone);
  const sender = senderZone !== null && isTimeZone(senderZone) ? senderZone : 'UTC';
  return new Intl.DateTimeFormat(tag, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: isReaders ? timeZone : sender,
    ...(!isReaders && { timeZoneName: 'short' }),
  }).format(new Date(iso));
}

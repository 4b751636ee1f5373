import type { DeskState } from '../desks/desk.ts';
import type { DesksWords } from '../words/compiled/types.ts';

const FORMS: Readonly<Record<DeskState['form'], Intl.DateTimeFormatOptions>> = {
  time: {},
  weekday: { weekday: 'short' },
  date: { weekday: 'short', month: 'short', day: 'numeric' },
};

/**
 * Says whether a desk is open, and until when, or when it opens: in a language (BCP 47), by the desk's clock.
 *
 * @example deskStateInWords(deskState(desk, Date.now()), 'en', english.desks) // 'Open until 6:00 PM'
 */
export function deskStateInWords(
  { isOpen, changesAt, timeZone, form }: DeskState,
  tag: string,
  words: DesksWords,
): string {
  if (changesAt === null) return isOpen ? words.alwaysOpen : words.closed;
  const format = new Intl.DateTimeFormat(tag, { ...FORMS[form], hour: 'numeric', minute: '2-digit', timeZone });
  return (isOpen ? words.openUntil : words.opens)(format.format(changesAt));
}

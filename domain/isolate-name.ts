/** Letters that are written from right to left (UAX #9, classes R and AL), and numbers of their scripts (AN). */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/** Whether a name has letters in the other direction. */
function isRightToLeft(name: string): boolean {
  return RIGHT_TO_LEFT.test(name);
}

/** Returns a number for plain text in any direction, with its signs in their order. */
export function isolateSigns(text: string): string {
  return `${FIRST_STRONG_ISOLATE}${text}${POP_DIRECTIONAL_ISOLATE}`;
}

/**
 * Returns a name for plain text in a sentence that is written from left to right: subjects of emails, notices, labels,
 * titles, prepared messages.
 * A name with letters in the other direction is isolated (UAX #9, section 2.4), so that it does not reorder the words
 * around it. Any other name is returned as it is. Markup uses `<bdi>`.
 */
export function isolateName(name: string): string {
  return isRightToLeft(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_DIRECTIONAL_ISOLATE}` : name;
}

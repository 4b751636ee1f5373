import { trimBlanks } from '#domain/white-space.ts';

/** Control characters but the tab and the new line, and those that override the writing direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a message as it is stored: one character per line break (forms send two), without control characters,
 * overrides of the writing direction, and surrounding blanks. Empty for a text without visible characters.
 *
 * @example trimMessage(' Found it!\r\nCall me. '); // 'Found it!\nCall me.'
 */
export function trimMessage(typed: string): string {
  return trimBlanks(typed.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, ''));
}

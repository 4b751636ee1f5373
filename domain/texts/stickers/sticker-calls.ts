import { LANGUAGE_LIST, type ListedLanguage } from '../../language-list.ts';
import { stickerCalls } from '../../words/compiled/sticker-calls.ts';

/** We have no typeface with the letters of these. */
const NOT_DRAWN: readonly string[] = ['bn', 'ko', 'th'];

/** The languages in which a sticker can call its finder. */
export const CALL_LANGUAGES: readonly ListedLanguage[] = LANGUAGE_LIST.filter(
  ({ tag }) => Object.hasOwn(stickerCalls, tag) && !NOT_DRAWN.includes(tag),
);

/** Returns the call to the finder in a language. */
export function stickerCall(tag: string): string {
  return stickerCalls[tag] ?? '';
}

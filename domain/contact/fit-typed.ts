import { countCharacters } from './count-characters.ts';
import { trimMessage } from './trim-message.ts';

export interface Fitted {
  readonly text: string;
  /** Where typing goes on, in UTF-16 units as browsers count. */
  readonly caret: number;
}

/**
 * What a field holds that takes at most `limit` code points, without the blanks around them, once something was typed
 * or pasted up to `caret`: what came in last and is too much stays out, and what stood there stays.
 */
export function fitTyped(typed: string, caret: number, limit: number): Fitted {
  const excess = countCharacters(trimMessage(typed)) - limit;
  if (excess <= 0) return { text: typed, caret };
  const before = Array.from(typed.slice(0, caret)).slice(0, -excess).join('');
  const text = before + typed.slice(caret);
  if (countCharacters(trimMessage(text)) <= limit) return { text, caret: before.length };
  // More than came in is too much: nobody typed that here.
  const cut = Array.from(trimMessage(typed)).slice(0, limit).join('');
  return { text: cut, caret: cut.length };
}

import { generateTagCode, isTagCode } from '#domain/tag-code.ts';
import { readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { readPublicConfig } from './public-config.ts';

const keyOf = (storagePrefix: string) => `${storagePrefix}_new_item_code`;

/** The code for an item without a sticker: made once in this tab, and the same until it is used, also after a reload. */
export function newItemCode(): string {
  const key = keyOf(readPublicConfig().storagePrefix);
  const kept = readSessionStorage(key);
  if (kept !== null && isTagCode(kept)) return kept;
  const code = generateTagCode((bytes) => crypto.getRandomValues(bytes));
  writeSessionStorage(key, code);
  return code;
}

/** The code has an item, or never will have: the next one gets another. Another code in hand changes nothing. */
export function forgetNewItemCode(code: string): void {
  const key = keyOf(readPublicConfig().storagePrefix);
  if (readSessionStorage(key) === code) writeSessionStorage(key, null);
}

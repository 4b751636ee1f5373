import { words as english } from './compiled/en/index.ts';
import type { Words } from './compiled/types.ts';

/** The languages of owners' screens that are loaded, by tag. English always is. */
const loaded = new Map<string, Words>([['en', english]]);

/** Returns the words of a language, or the English ones where it is not loaded. */
export function wordsOf(tag: string): Words {
  return loaded.get(tag) ?? english;
}

/** Keeps the words of a language, so that screens and letters can be in it. */
export function keepWords(tag: string, words: Words): void {
  loaded.set(tag, words);
}

/** Whether the words of a language are loaded. */
export function hasWords(tag: string): boolean {
  return loaded.has(tag);
}

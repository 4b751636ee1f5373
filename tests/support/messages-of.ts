import { resolve } from 'node:path';
import { readWords } from '../../tools/words/read-words.ts';

const files = readWords(resolve(import.meta.dirname, '../..'), []);

/** The tags of the languages that have message files. */
export const LANGUAGES_WITH_WORDS: readonly string[] = [...new Set(files.map(({ language }) => language))];

/** Returns the messages of a language, by file and key, such as `finder.arb: finder.youFound`. */
export function messagesOf(tag: string): ReadonlyMap<string, string> {
  return new Map(
    files
      .filter(({ language }) => language === tag)
      .flatMap(({ part, messages }) => [...messages].map(([key, text]) => [`${part}.arb: ${key}`, text] as const)),
  );
}

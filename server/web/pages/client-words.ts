import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { DocumentWords } from '#app/client/request-context.ts';

const wordsSchema = v.object({
  folders: v.record(v.string(), v.string()),
  imported: v.record(v.string(), v.array(v.string())),
});

/** Returns what names the words that a browser fetches for a document, by its language (`tools/vite/words.ts`). */
export async function readClientWords(folder: string): Promise<(tag: string) => DocumentWords | null> {
  const { folders, imported } = v.parse(
    wordsSchema,
    JSON.parse(await readFile(join(folder, '.vite/words.json'), 'utf8')),
  );
  return (tag) => {
    const ofLanguage = folders[tag];
    return ofLanguage === undefined ? null : { folder: `/${ofLanguage}`, imported };
  };
}

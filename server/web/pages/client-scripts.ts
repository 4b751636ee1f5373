import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const manifestSchema = v.record(
  v.string(),
  v.object({ file: v.string(), name: v.optional(v.string()), imports: v.optional(v.array(v.string()), []) }),
);

/** Scripts that a document for a signed-in user has the browser fetch before the screen's own. */
export interface ClientScripts {
  /** Fetched early: what every signed-in screen needs first. */
  readonly preloaded: readonly string[];
  /** Run as soon as it has arrived: it requests the data of the screen (`app/data/early/early-load.ts`). */
  readonly run: string;
}

/** The chunks of the supabase client and of what loads the data of a screen (`tools/vite/chunk-groups.ts`). */
const CLIENT = 'client';
const DATA = 'data';
const ITEM_DATA = 'item-data';
const STICKERS_DATA = 'stickers-data';

/** Returns what names the URLs of these scripts for a document's path. They are in Vite's manifest in `folder`. */
export async function readClientScripts(folder: string): Promise<(path: string) => ClientScripts> {
  const manifest = v.parse(manifestSchema, JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')));
  const chunk = (wanted: string) => {
    const found = Object.values(manifest).find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`The build has no file named ${wanted}.`);
    return found;
  };
  const scriptsOf = (wanted: string): ClientScripts => {
    const data = chunk(wanted);
    const needed = [chunk(CLIENT), data].flatMap(({ file, imports }) => [
      file,
      ...imports.flatMap((key) => manifest[key]?.file ?? []),
    ]);
    return { preloaded: [...new Set(needed)].map((file) => `/${file}`), run: `/${data.file}` };
  };
  const [ofItem, ofStickers, ofOthers] = [scriptsOf(ITEM_DATA), scriptsOf(STICKERS_DATA), scriptsOf(DATA)];
  return (path) => {
    if (path.startsWith('/item/')) return ofItem;
    return path === '/stickers' ? ofStickers : ofOthers;
  };
}

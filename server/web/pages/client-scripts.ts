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
  /** Run as soon as it has arrived: it requests the dashboard's data (`app/data/load-dashboard.ts`). */
  readonly run: string;
}

/** The chunks of the supabase client and of what loads the dashboard's data (`tools/vite/chunk-groups.ts`). */
const CLIENT = 'client';
const DATA = 'data';

/** Returns the URLs of these scripts, which are in Vite's manifest in `folder`. */
export async function readClientScripts(folder: string): Promise<ClientScripts> {
  const manifest = v.parse(manifestSchema, JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')));
  const chunk = (wanted: string) => {
    const found = Object.values(manifest).find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`The build has no file named ${wanted}.`);
    return found;
  };
  const data = chunk(DATA);
  const needed = [chunk(CLIENT), data].flatMap(({ file, imports }) => [
    file,
    ...imports.flatMap((key) => manifest[key]?.file ?? []),
  ]);
  return {
    preloaded: [...new Set(needed)].map((file) => `/${file}`),
    run: `/${data.file}`,
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const manifestSchema = v.record(
  v.string(),
  v.object({ file: v.string(), name: v.optional(v.string()), imports: v.optional(v.array(v.string()), []) }),
);

/** The chunk of the supabase client, as named in `tools/vite/chunk-groups.ts`. */
const CLIENT = 'client';

/**
 * Returns the URLs of the scripts with the supabase client, which every signed-in screen needs first. They are in
 * Vite's manifest in `folder`.
 */
export async function readClientScripts(folder: string): Promise<readonly string[]> {
  const manifest = v.parse(manifestSchema, JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')));
  const client = Object.values(manifest).find(({ name }) => name === CLIENT);
  if (client === undefined) throw new Error('The build has no file of the supabase client.');
  const imported = client.imports.flatMap((key) => manifest[key]?.file ?? []);
  return [client.file, ...imported].map((file) => `/${file}`);
}

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from 'react-router';
import { OperatorError } from '#server/operator-error.ts';
import { readClientScripts } from './client-scripts.ts';
import { readClientWords } from './client-words.ts';
import { type Pages, pageBuildOf } from './pages.ts';

/** Opens the app built by `npm run build` into `build/server`. Throws an OperatorError where it is missing. */
export async function openBuiltPages(root: string): Promise<Pages> {
  const path = join(root, 'build/server/index.js');
  await access(path).catch((cause: unknown) => {
    throw new OperatorError('The pages are not built yet. Build them with: npm run build', { cause });
  });
  // The router's own build writes this module with this type.
  const build = (await import(pathToFileURL(path).href)) as ServerBuild;
  const client = join(root, 'build/client');
  const page = pageBuildOf(build, 'production', {
    clientScripts: await readClientScripts(client),
    clientWords: await readClientWords(client),
  });
  return { current: () => page, close: async () => undefined };
}

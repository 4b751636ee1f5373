import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { staticFiles } from './assets/static-files.ts';
import { openDesks } from './desks/desks.ts';
import { FoundItems } from './finder/item-cache.ts';
import { repairOwnerProfile } from './finder/repair-owner-profile.ts';
import { openBuiltPages } from './pages/built-pages.ts';
import { openVitePages } from './pages/vite-pages.ts';
import { type WebDependencies, webRoutes } from './routes.ts';

export interface WebOptions {
  /** The folder that contains `build/`. */
  readonly root: string;
  /** Serves pages from Vite with reload on change, instead of from the build. */
  readonly viteDevelopment: boolean;
  /** Handles a request in this process. The bindings are those of the visitor's request, whose limits apply. */
  readonly fetch: (request: Request, bindings?: Partial<HttpBindings>) => Promise<Response>;
}

export interface Web {
  readonly routes: Hono<AppEnv>;
  close(): Promise<void>;
}

/** The memory of one server for found items and their finished pages: about 5,000 pages. Its processes divide it. */
const PAGE_CACHE_BYTES = 67_108_864;

/** Creates the pages and the cache of found items, which notifications of changes on any server keep up to date. */
export async function createWeb(
  dependencies: WebDependencies,
  { root, viteDevelopment, fetch }: WebOptions,
): Promise<Web> {
  const { config, database, metrics, now } = dependencies;
  const items = new FoundItems({
    database,
    repairOwner: (code) => repairOwnerProfile(database, code),
    now,
    mostBytes: Math.floor(PAGE_CACHE_BYTES / config.webProcesses),
    countLookup: metrics.counter(
      {
        name: 'reunite_item_lookups_total',
        help: 'Look-ups of items for finders, by whether the item was in memory.',
        labels: ['result'],
      },
      [{ result: 'hit' }, { result: 'miss' }],
    ),
  });
  metrics.gauge(
    { name: 'reunite_page_cache_bytes', help: 'Memory of cached items and their pages.' },
    () => items.bytes,
  );
  const stopListening = await database.listen('item_changed', {
    // One code, or several with blanks between.
    onPayload(codes) {
      for (const code of codes.split(' ')) items.drop(code);
    },
    onGap: () => items.dropAll(),
  });
  const desks = await openDesks(dependencies);
  const stop = () => {
    stopListening();
    desks.close();
  };
  try {
    const pages = viteDevelopment ? await openVitePages(root) : await openBuiltPages(root);
    const files = viteDevelopment ? undefined : await staticFiles(join(root, 'build/client'));
    return {
      routes: webRoutes(dependencies, { pages, items, desks, files, fetch }),
      async close() {
        stop();
        await pages.close();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

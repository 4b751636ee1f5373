import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { Database } from '#server/postgres/database.ts';
import type { FoundEntry } from './item-cache.ts';

/**
 * Returns a function that notes that a visitor scanned a code, so that its item no longer needs a sticker. The page
 * does not wait for it, and a failure is left to the next scan. Asks the database once for each cached item.
 *
 * Only a browser that opens the address for a person counts. Previews of links and crawlers do not send
 * `Sec-Fetch-Dest: document` (Fetch Metadata, W3C), and neither do browsers on plain HTTP or before 2023; there a scan of
 * the owner, signed in, still counts.
 */
export function scanNotes(database: Pick<Database, 'asService'>) {
  const noted = new WeakSet<FoundEntry>();
  return (c: Context<AppEnv>, entry: FoundEntry): void => {
    if (noted.has(entry) || !isOpenedByPerson(c)) return;
    noted.add(entry);
    // After the response has been handed over.
    setImmediate(() => {
      note(entry.code).catch((error: unknown) => {
        noted.delete(entry);
        c.get('log').warn({ err: error }, 'A scan could not be noted. The next one is.');
      });
    });
  };

  async function note(code: string): Promise<void> {
    await database.asService({ name: 'note_scan', text: 'select public.note_scan($1)', values: [code] });
  }
}

function isOpenedByPerson({ req }: Context<AppEnv>): boolean {
  // Browsers announce a prefetch in either.
  const isPrefetch = /prefetch/.test(req.header('sec-purpose') ?? req.header('purpose') ?? '');
  return req.method === 'GET' && req.header('sec-fetch-dest') === 'document' && !isPrefetch;
}

export type NoteScan = ReturnType<typeof scanNotes>;

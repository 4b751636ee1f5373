import { type Context, Hono } from 'hono';
import { isTimeZone } from '#domain/contact/time-zones.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { FinderDocuments } from './finder-documents.ts';
import type { FoundEntry } from './item-cache.ts';

interface PhraseRoutesOptions {
  readonly documents: Pick<FinderDocuments, 'desks' | 'phrases'>;
  readonly foundOr: (c: Context<AppEnv>, code: string) => Promise<FoundEntry | Response>;
}

/** The pages with all that a finder can say without typing, and with all desks. Their forms are sent as every message. */
export function phraseRoutes({ documents, foundOr }: PhraseRoutesOptions): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false });
  routes.get('/:code/say', async (c) => {
    const found = await foundOr(c, c.req.param('code'));
    const zone = c.req.query('zone') ?? '';
    const timeZone = isTimeZone(zone) ? zone : null;
    return found instanceof Response ? found : documents.phrases(c, found, { timeZone }, 200);
  });
  routes.get('/:code/desks', async (c) => {
    const found = await foundOr(c, c.req.param('code'));
    return found instanceof Response ? found : documents.desks(c, found);
  });
  return routes;
}

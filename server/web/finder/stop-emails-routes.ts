import { Hono } from 'hono';
import { isStopToken, stopByLink } from '#server/delivery/email/stopped-recipients.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { FinderDocuments } from './finder-documents.ts';

export interface StopEmailsRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'secrets' | 'database'>;
  readonly documents: Pick<FinderDocuments, 'finderLink'>;
}

/**
 * `/emails/stop/{token}`: ends all emails to an address that its reader did not ask for. Programs that scan emails open
 * every link, so that takes a press of a button, or the post of a mail service (RFC 8058).
 */
export function stopEmailsRoutes({ dependencies, documents }: StopEmailsRoutesOptions): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false });

  routes.get('/stop/:token', (c) => {
    const isOurs = isStopToken(dependencies, c.req.param('token'));
    return documents.finderLink(c, isOurs ? 'stopAll' : 'dead', isOurs ? 200 : 404);
  });

  routes.post('/stop/:token', async (c) => {
    const isStopped = await stopByLink(dependencies, c.req.param('token'));
    return documents.finderLink(c, isStopped ? 'allStopped' : 'dead', isStopped ? 200 : 404);
  });

  return routes;
}

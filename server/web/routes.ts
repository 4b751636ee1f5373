import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { isRouteErrorResponse } from 'react-router';
import type { PublicConfig } from '#app/lib/request-context.ts';
import { en } from '#domain/messages/en.ts';
import { signedInHint } from '#domain/signed-in-hint.ts';
import { codesGoBySms } from '#server/delivery/codes-go-by-sms.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isPublicHttps } from '#server/http/every-answer.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { finderDocuments } from './finder/finder-documents.ts';
import { finderRoutes } from './finder/finder-routes.ts';
import type { FoundItems } from './finder/found-items.ts';
import { codeLookUp } from './finder/look-up-code.ts';
import { wantsJson } from './finder/wants-json.ts';
import { offlineWorker } from './offline-worker.ts';
import type { Pages } from './pages/pages.ts';
import { refuseMalformedPath } from './refuse-malformed-path.ts';
import { refuseWriting } from './refuse-writing.ts';
import { scanRedirect } from './scan-redirect.ts';
import { appPolicy, documentHeaders } from './security-headers.ts';

import { visitorClients } from './visitor-client.ts';
import { viteModules } from './vite-modules.ts';

/** What the pages need of the service. */
export type WebDependencies = Pick<
  Dependencies,
  'config' | 'secrets' | 'database' | 'delivery' | 'limits' | 'misses' | 'now'
>;

export interface WebRoutesOptions {
  readonly pages: Pages;
  readonly items: FoundItems;
  /** Answers for the files of the build; undefined where Vite does. */
  readonly files: MiddlewareHandler<AppEnv> | undefined;
  readonly fetch: (request: Request, bindings?: Partial<HttpBindings>) => Promise<Response>;
}

/** Everything that is no API: files, the redirects of a scan, the finder's page, and the screens of the app. */
export function webRoutes(
  dependencies: WebDependencies,
  { pages, items, files, fetch }: WebRoutesOptions,
): Hono<AppEnv> {
  const { config, secrets, delivery, misses } = dependencies;
  const isSignedIn = signedInHint(config.storagePrefix);
  const documents = finderDocuments(pages, items, config);
  const lookUp = codeLookUp({ items, misses });
  const visitorClient = visitorClients({ publicUrl: config.publicUrl, publishableKey: secrets.publishableKey, fetch });
  const publicConfig: PublicConfig = {
    productName: config.productName,
    storagePrefix: config.storagePrefix,
    publicUrl: config.publicUrl,
    publishableKey: secrets.publishableKey,
    development: !config.production,
    codesGoBySms: codesGoBySms(delivery, config),
    // Vite's pages change under a browser that would not notice a worker's.
    offlinePage: config.offlinePage && pages.viteMiddleware === undefined,
    signInProviders: config.oidcProviders.map(({ id, name, icon = null }) => ({ id, name, icon })),
  };
  const policyOptions = {
    development: pages.viteMiddleware !== undefined,
    upgrade: isPublicHttps(config),
  };

  async function answerByRouter(c: Context<AppEnv>): Promise<Response> {
    const page = await pages.current();
    const nonce = randomBytes(16).toString('base64');
    const log = c.get('log');
    const answered = await page.answer(
      c.req.raw,
      page.createRequestContext({
        publicConfig,
        nonce,
        preload: isSignedIn(c.req.header('cookie')) ? page.clientScripts : [],
        createVisitorClient: () => visitorClient(c.env),
        reportError(error) {
          // A path that no page has is the visitor's mistake, and was answered as one.
          if (isRouteErrorResponse(error) && error.status < 500) return;
          log.error({ err: error }, 'A page failed.');
        },
      }),
    );
    const response = new Response(answered.body, answered);
    for (const [name, value] of Object.entries(documentHeaders)) response.headers.set(name, value);
    response.headers.set('Content-Security-Policy', appPolicy(nonce, policyOptions));
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'private, no-cache');
    response.headers.append('Vary', 'Accept-Encoding');
    return response;
  }

  const routes = new Hono<AppEnv>();
  routes.use(refuseMalformedPath(documents));
  if (files !== undefined) routes.use(files);
  if (pages.viteMiddleware !== undefined) routes.use(viteModules(pages.viteMiddleware));
  routes.use(scanRedirect({ pages, documents, lookUp, isSignedIn }));
  routes.route('/item', finderRoutes({ dependencies, documents, lookUp, isSignedIn }));
  routes.use(refuseWriting);
  routes.use(compress({ encoding: 'gzip' }));
  if (pages.viteMiddleware === undefined) routes.get('/service-worker.js', offlineWorker(pages, config));
  routes.all('*', answerByRouter);

  routes.onError((error, c) => {
    if (!isDatabaseUnavailable(error)) throw error;
    c.get('log').warn({ err: error }, 'A finder could not be answered: the database is away.');
    c.header('Retry-After', '2');
    return wantsJson(c)
      ? c.json({ problem: en.finder.contactUnavailable }, 503)
      : documents.notice(c, 'unavailable', null, 503);
  });
  return routes;
}

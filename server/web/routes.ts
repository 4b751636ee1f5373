import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { isRouteErrorResponse } from 'react-router';
import type { PublicConfig } from '#app/client/request-context.ts';
import { signedInHint } from '#domain/account/signed-in-hint.ts';
import { english } from '#domain/language.ts';
import { wordsOf } from '#domain/words/loaded-words.ts';
import { finderAddresses } from '#server/conversations/finder-addresses.ts';
import { finderLinks } from '#server/conversations/finder-links.ts';
import { messagePhotos } from '#server/conversations/message-photos.ts';
import { returnCodes } from '#server/conversations/return-codes.ts';
import { codesGoBySms } from '#server/delivery/sms/may-be-texted.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isPublicHttps } from '#server/http/default-headers.ts';
import { type RequestCheck, requestChecks } from '#server/http/request-checks.ts';
import { ownerLanguage } from '#server/languages/owner-language.ts';
import { chooseLanguage, visitorLanguage } from '#server/languages/visitor-language.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { notMeRoutes } from './account/not-me-routes.ts';
import { finderExtras } from './assets/finder-extras.ts';
import { offlineWorker } from './assets/offline-worker.ts';
import { viteModules } from './assets/vite-modules.ts';
import { webManifest } from './assets/web-manifest.ts';
import { brandStyles, LOGO_PATH } from './brand/brand-styles.ts';
import { serveLogo } from './brand/serve-logo.ts';
import { leaveMarksOut } from './checks/leave-marks-out.ts';
import { redirectOtherHosts, stickerHosts } from './checks/redirect-other-hosts.ts';
import { refuseMalformedPath } from './checks/refuse-malformed-path.ts';
import { createRenderAllowance } from './checks/render-allowance.ts';
import { respondInTime } from './checks/respond-in-time.ts';
import { finderKeys } from './conversation/finder-key.ts';
import { conversationViewer } from './conversation/look-at-conversation.ts';
import { conversationOpener } from './conversation/open-conversation.ts';
import { movedConversations } from './conversation/was-moved.ts';
import type { Desks } from './desks/desks.ts';
import { finderDocuments } from './finder/finder-documents.ts';
import { finderLinkRoutes } from './finder/finder-link-routes.ts';
import { finderRoutes } from './finder/finder-routes.ts';
import type { FoundItems } from './finder/item-cache.ts';
import { codeLookUp } from './finder/look-up-code.ts';
import { scanNotes } from './finder/note-scan.ts';
import { scanResponse } from './finder/scan-response.ts';
import { showItem } from './finder/show-item.ts';
import { stopEmailsRoutes } from './finder/stop-emails-routes.ts';
import { wantsJson } from './forms/wants-json.ts';
import { languageRoutes } from './language/language-routes.ts';
import type { Pages } from './pages/pages.ts';
import { appHeaders, appPolicy } from './pages/security-headers.ts';
import { serviceFacts } from './pages/service-facts.ts';
import { visitorClients } from './pages/visitor-client.ts';
import { secondContactRoutes } from './second-contact/second-contact-routes.ts';
import { typedCodeRoutes } from './typed-code/typed-code-routes.ts';

/** What the pages need from the service. */
export type WebDependencies = Pick<
  Dependencies,
  'config' | 'metrics' | 'secrets' | 'database' | 'delivery' | 'files' | 'push' | 'limits' | 'log' | 'misses' | 'now'
>;

export interface WebRoutesOptions {
  readonly pages: Pages;
  readonly items: FoundItems;
  readonly desks: Desks;
  /** Serves the files of the build; undefined where Vite does. */
  readonly files: RequestCheck | undefined;
  readonly fetch: (request: Request, bindings?: Partial<HttpBindings>) => Promise<Response>;
}

/** Everything but the APIs: files, redirects of scans, the finder's page and the screens of the app. */
export function webRoutes(
  dependencies: WebDependencies,
  { pages, items, desks, files, fetch }: WebRoutesOptions,
): Hono<AppEnv> {
  const { config, database, secrets, delivery, push, misses, now } = dependencies;
  const isSignedIn = signedInHint(config.storagePrefix);
  const allowance = createRenderAllowance(now);
  // In development tests and manual use come from one address.
  const mayRender = (c: Context<AppEnv>) => !config.production || allowance(c.get('clientAddress'));
  const brand = { styles: brandStyles(config.brand), sentence: config.brand.sentence, links: config.brand.links };
  const documents = finderDocuments(pages, items, { config, brand, desks, mayRender, isSignedIn });
  const lookUp = codeLookUp({ database, items, misses });
  const keys = finderKeys({ storagePrefix: config.storagePrefix, secure: isPublicHttps(config) });
  const codes = returnCodes(dependencies);
  const openConversation = conversationOpener({ database, returnCodes: codes });
  const addresses = finderAddresses(database);
  const wasMoved = movedConversations(database);
  const lookAtConversation = conversationViewer({ openConversation, addresses });
  const photos = messagePhotos(dependencies);
  const show = showItem({ documents, keys, lookAtConversation, wasMoved });
  const visitorClient = visitorClients({ publicUrl: config.publicUrl, publishableKey: secrets.publishableKey, fetch });
  const publicConfig: PublicConfig = {
    ...serviceFacts(config),
    storagePrefix: config.storagePrefix,
    publicUrl: config.publicUrl,
    stickerUrl: config.stickerUrl,
    stickerHosts: stickerHosts(config),
    publishableKey: secrets.publishableKey,
    claimableCodes: config.claimableCodes,
    development: !config.production,
    passwordLength: config.passwordLength,
    codesGoBySms: codesGoBySms(delivery, config),
    hasSms: delivery.hasSms,
    // In development the pages change without the service worker noticing.
    offlinePage: config.offlinePage && pages.viteMiddleware === undefined,
    pushKey: push?.publicKey ?? null,
    signInProviders: config.oidcProviders.map(({ id, name, icon = null }) => ({ id, name, icon })),
  };
  const policyOptions = {
    development: pages.viteMiddleware !== undefined,
    upgrade: isPublicHttps(config),
  };

  async function handleByRouter(c: Context<AppEnv>): Promise<Response> {
    if (!mayRender(c)) return documents.tooFast(c);
    const page = await pages.current();
    const nonce = randomBytes(16).toString('base64');
    const log = c.get('log');
    // In development browsers have English alone.
    const { tag, direction } = page.clientWords === null ? english : await ownerLanguage(c, config);
    page.keepWords(tag, wordsOf(tag));
    const handled = await page.handle(
      c.req.raw,
      page.createRequestContext({
        publicConfig,
        brand,
        language: { tag, direction },
        words: page.clientWords?.(tag) ?? null,
        nonce,
        earlyScripts: isSignedIn(c.req.header('cookie')) ? (page.clientScripts?.(c.req.path) ?? null) : null,
        createVisitorClient: () => visitorClient(c.env),
        reportError(error) {
          // An unknown path is the visitor's mistake; the response already reports it.
          if (isRouteErrorResponse(error) && error.status < 500) return;
          log.error({ err: error }, 'A page failed.');
        },
      }),
    );
    const response = new Response(handled.body, handled);
    for (const [name, value] of Object.entries(appHeaders)) response.headers.set(name, value);
    response.headers.set('Content-Security-Policy', appPolicy(nonce, policyOptions));
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'private, no-cache');
    response.headers.append('Vary', 'Accept-Encoding, Accept-Language, Cookie');
    return response;
  }

  const routes = new Hono<AppEnv>();
  const redirectVisit = redirectOtherHosts(config);
  routes.use(
    requestChecks(
      ...(redirectVisit === null ? [] : [redirectVisit]),
      chooseLanguage(config),
      refuseMalformedPath(documents),
      ...(files === undefined ? [] : [files]),
      ...(pages.viteMiddleware === undefined ? [] : [viteModules(pages.viteMiddleware)]),
      scanResponse({ pages, documents, lookUp, show, noteScan: scanNotes(database), isSignedIn }),
      leaveMarksOut,
    ),
  );
  routes.route('/', languageRoutes({ config, documents }));
  routes.route('/', typedCodeRoutes({ database, misses, documents, isSignedIn }));
  for (const path of ['/contact/:token/*', '/replies/*', '/emails/*', '/not-me/*']) routes.use(path, respondInTime);
  routes.route('/', secondContactRoutes({ dependencies, documents, photos }));
  routes.route(
    '/item',
    finderRoutes({
      dependencies,
      documents,
      photos,
      lookUp,
      keys,
      returnCodes: codes,
      addresses,
      openConversation,
      lookAtConversation,
      wasMoved,
      show,
      isSignedIn,
    }),
  );
  const links = finderLinks(dependencies);
  routes.route('/emails', stopEmailsRoutes({ dependencies, documents }));
  routes.route('/replies', finderLinkRoutes({ dependencies, addresses, links, returnCodes: codes, documents }));
  routes.route('/not-me', notMeRoutes({ dependencies, documents }));
  routes.use(refuseWriting);
  routes.use(compress({ encoding: 'gzip' }));
  if (pages.viteMiddleware === undefined) routes.get('/service-worker.js', offlineWorker(pages, config));
  routes.get('/finder-extras.js', finderExtras(pages));
  if (config.brand.logo !== null) routes.get(LOGO_PATH, serveLogo(config.brand.logo));
  routes.get('/manifest.webmanifest', webManifest(config));
  routes.all('*', handleByRouter);

  routes.onError((error, c) => {
    if (!isDatabaseUnavailable(error)) throw error;
    c.get('log').warn({ err: error }, 'A page could not be rendered: the database is unreachable or too slow.');
    c.header('Retry-After', '2');
    if (wantsJson(c)) return c.json({ problem: visitorLanguage(c).texts.finder.contactUnavailable }, 503);
    // What a form does may have been done, or may still be.
    return c.req.method === 'POST' ? documents.unconfirmed(c) : documents.notice(c, 'unavailable', null, 503);
  });
  return routes;
}

/** Rejects methods other than GET and HEAD before they reach the router (RFC 9110, section 15.5.6). */
const refuseWriting: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
  return c.text('Method not allowed', 405, { Allow: 'GET, HEAD', Connection: 'close' });
};

import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { AuthServiceOptions } from '#server/auth/auth-service.ts';
import { authRoutes } from '#server/auth/routes.ts';
import { developmentOutboxRoutes } from '#server/delivery/development/development-outbox-routes.ts';
import { guardedFunctions } from '#server/guards/guarded-functions.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { boundCallers } from '#server/http/bound-callers.ts';
import { apiCors } from '#server/http/cors.ts';
import { defaultHeaders } from '#server/http/default-headers.ts';
import { dropUnreadBody } from '#server/http/drop-body.ts';
import { healthRoutes } from '#server/http/health.ts';
import { requestChecks } from '#server/http/request-checks.ts';
import { requestContext } from '#server/http/request-context.ts';
import { requireApiKey } from '#server/http/require-api-key.ts';
import { isOutOfFiles } from '#server/is-out-of-files.ts';
import type { FloodGuard } from '#server/limits/flood-guard.ts';
import type { CountedRequest } from '#server/metrics/metrics.ts';
import { type RealtimeServer, realtimeRoutes } from '#server/realtime/routes.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { storageRoutes } from '#server/storage/routes.ts';
import type { Web } from '#server/web/web.ts';
import type { Dependencies } from './dependencies.ts';

export interface AppParts {
  readonly web: Web;
  readonly realtime: RealtimeServer;
  readonly flood: FloodGuard;
  readonly countRequest?: (request: CountedRequest) => void;
  readonly auth?: AuthServiceOptions;
  /** Ends long-lived responses, so that the server can stop. */
  readonly stopping?: AbortSignal;
}

/** Creates the application with every endpoint. It does not listen. */
export function createApp(
  dependencies: Dependencies,
  { web, realtime, flood, countRequest, auth, stopping }: AppParts,
) {
  const { config, database, log, now, resolveCaller } = dependencies;
  // A single regular expression for all paths. Hono's default router silently falls back to a linear search where a
  // route does not fit; this one throws at the first request.
  const app = new Hono<AppEnv>({ router: new RegExpRouter() });

  app.use(
    requestContext({
      log,
      trustedProxies: config.trustedProxies,
      now,
      accessLogLevel: config.production ? 'info' : 'debug',
      ...(countRequest !== undefined && { countRequest }),
      defaultHeaders: defaultHeaders(config),
    }),
  );

  app.use(boundCallers(flood, dependencies.callerMemory.bodies));
  app.use(dropUnreadBody);

  app.route('/health', healthRoutes(database));

  const api = config.keylessRequests ? [apiCors] : [apiCors, requestChecks(requireApiKey(resolveCaller))];
  app.use('/auth/v1/*', ...api);
  app.route('/auth/v1', authRoutes(dependencies, auth));
  app.use('/rest/v1/*', ...api);
  app.route('/rest/v1', restRoutes(dependencies, guardedFunctions(dependencies)));
  app.use('/storage/v1/*', ...api);
  app.route('/storage/v1', storageRoutes(dependencies));
  app.use('/realtime/v1/api/*', ...api);
  app.route('/realtime/v1', realtimeRoutes(dependencies, realtime));

  // As the reference refuses a function that it does not have: a client tells that from a failure of the network.
  app.use('/functions/v1/*', apiCors);
  app.all('/functions/v1/*', (c) => c.json({ code: 'NOT_FOUND', message: 'This server has no edge functions' }, 404));

  if (!config.production) app.route('/dev', developmentOutboxRoutes(dependencies, stopping));

  app.route('/', web.routes);

  app.onError((error, c) => {
    c.get('log').error({ err: error }, 'A request failed.');
    if (isOutOfFiles(error)) {
      return c.text('We’re too busy right now. Please try again in a moment.', 503, { 'Retry-After': '2' });
    }
    return c.text('Something went wrong on our side. Please try again.', 500);
  });
  return app;
}

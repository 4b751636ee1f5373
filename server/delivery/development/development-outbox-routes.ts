import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { developmentOutboxPage, OUTBOX_CONTENT_SECURITY_POLICY } from './development-outbox-page.ts';
import { isLocalVisit } from './is-local-visit.ts';
import { readDevelopmentOutbox, readPendingCode } from './read-development-outbox.ts';

/** How often a comment is sent, so that proxies keep an idle stream open. */
const KEEP_ALIVE_MS = 20_000;

/** At most the length of an address (RFC 5321), without characters that PostgreSQL cannot compare, such as NUL. */
const MAY_BE_EMAIL = /^[^\p{Cc}\p{Cs}]{0,254}$/u;

/**
 * The messages of a development server, for the developer. Mounted at `/dev` on development servers only: the page
 * `/outbox`, its stream `/outbox/events`, the data `/outbox.json`, and `/outbox/code?email=…` for the hint on the
 * verification screen.
 *
 * `stopping` ends the streams, so that an open page does not delay a stop.
 */
export function developmentOutboxRoutes(
  { config, database }: Pick<Dependencies, 'config' | 'database'>,
  stopping?: AbortSignal,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.use(async (c, next) => {
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    if (isLocalVisit(c.req.raw.headers, config.publicUrl)) return next();
    return c.json({ error: 'The development outbox is for this machine alone.' }, 403);
  });

  app.get('/outbox', async (c) => {
    c.header('Content-Security-Policy', OUTBOX_CONTENT_SECURITY_POLICY);
    return c.html(developmentOutboxPage(await readDevelopmentOutbox(database), config));
  });

  app.get('/outbox.json', async (c) => c.json(await readDevelopmentOutbox(database)));

  app.get('/outbox/code', async (c) => {
    const email = c.req.query('email') ?? '';
    if (!MAY_BE_EMAIL.test(email))
      return c.json({ error: 'No email address has such characters or such a length.' }, 400);
    const code = await readPendingCode(database, email);
    if (code === null) return c.json({ error: 'No code is waiting for this address.' }, 404);
    return c.json({ code, backup_code: config.developmentCode });
  });

  app.get('/outbox/events', (c) =>
    streamSSE(c, async (stream) => {
      const ended = new Promise<void>((resolve) => {
        stream.onAbort(resolve);
        if (stopping?.aborted) resolve();
        stopping?.addEventListener('abort', () => resolve(), { once: true });
      });
      const send = (id: string) => void stream.writeSSE({ data: id });
      const stop = await database.listen('development_outbox', { onPayload: send, onGap: () => send('gap') });
      const keepAlive = setInterval(() => void stream.write(': still here\n\n'), KEEP_ALIVE_MS);
      // The first write tells the browser that the stream is open.
      await stream.write(': listening\nretry: 1000\n\n');
      await ended;
      clearInterval(keepAlive);
      stop();
    }),
  );

  // Hono does not call a mounted app's own `notFound`.
  app.all('*', (c) => c.json({ error: 'Not found' }, 404));
  return app;
}

import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';

/** The page's own script asks for JSON; a browser that posts a form by itself asks for a document. */
export function wantsJson(c: Context<AppEnv>): boolean {
  return c.req.header('accept') === 'application/json';
}

import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';

/** Whether the page's script sent the request. It asks for JSON; a browser that posts a form asks for a document. */
export function wantsJson(c: Context<AppEnv>): boolean {
  return c.req.header('accept') === 'application/json';
}

import type { Context, MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';
import { type HeaderLines, withHeaders } from './response-headers.ts';

const METHODS = 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS';
const DAY_SECONDS = 86_400;

const EXPOSED = [
  'Content-Range',
  'Content-Profile',
  'Preference-Applied',
  'Location',
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'X-Sb-Error-Code',
  'X-Request-Id',
  'Retry-After',
];

const HEADERS: HeaderLines = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED.join(',')],
];

/**
 * Allows requests to the API from any origin. The API uses no cookies, so another site's page can do nothing that it
 * could not do itself. All request headers are allowed.
 */
export const apiCors: MiddlewareHandler<AppEnv> = (c, next) =>
  c.req.method === 'OPTIONS' ? Promise.resolve(preflight(c)) : withHeaders(c, next, HEADERS);

function preflight(c: Context<AppEnv>): Response {
  const asked = c.req.header('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Max-Age': String(DAY_SECONDS),
      Vary: 'Access-Control-Request-Headers',
      ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }),
    },
  });
}

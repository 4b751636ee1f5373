import type { MiddlewareHandler } from 'hono';
import { answerWith, type HeaderLines } from './answer-headers.ts';
import type { AppEnv } from './app-env.ts';

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
 * The API may be called from any page: it takes no cookies, so a foreign page gains nothing that it could not send
 * itself. Lists as in the wire contract, section 0; whatever header a page asks for, it may send.
 */
export const apiCors: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.method !== 'OPTIONS') return answerWith(c, next, HEADERS);
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
};

import { cors } from 'hono/cors';

/**
 * The API may be called from any page: it takes no cookies, so a foreign page gains nothing that it could not send
 * itself. Lists as in the wire contract, section 0.
 */
export const apiCors = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposeHeaders: [
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
  ],
  maxAge: 86_400,
});

import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import { readText } from '#server/http/read-text.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';

/** Larger than any provider's authorization response. */
const LARGEST_RESPONSE_BYTES = 16_384;

/** Parameters of an authorization response (RFC 6749, section 4.1.2; RFC 9207). */
const PARTS = ['state', 'code', 'iss', 'error', 'error_description'];

/**
 * `POST /callback`: receives an authorization response that the browser posts (OAuth 2.0 Form Post Response Mode).
 *
 * A cross-site POST comes without the SameSite cookie that ties the flow to the browser, while a cross-site GET carries
 * it. So the response is redirected to `GET /callback`.
 */
export async function acceptFormPost({ config }: AuthService, c: Context<AppEnv>): Promise<Response> {
  const read = await readText(c.req.raw, LARGEST_RESPONSE_BYTES);
  if (read.outcome !== 'read') throw new AuthError('bodyTooLarge');
  const posted = new URLSearchParams(read.text);
  const response = new URLSearchParams([...posted].filter(([name]) => PARTS.includes(name)));
  c.header('Referrer-Policy', 'no-referrer');
  return c.redirect(`${config.publicUrl}/auth/v1/callback?${response}`, 303);
}

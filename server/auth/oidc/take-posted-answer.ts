import type { Context } from 'hono';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { readText } from '#server/http/read-text.ts';

/** Longer than what any provider answers. */
const LARGEST_ANSWER_BYTES = 16_384;

/** What an answer may consist of (RFC 6749, section 4.1.2; RFC 9207). */
const PARTS = ['state', 'code', 'iss', 'error', 'error_description'];

/**
 * `POST /callback`: the answer of a provider that has the browser post it (OAuth 2.0 Form Post Response Mode). A form
 * from another site comes without the cookie that ties the visit to the browser, and a link does not: so the browser is
 * sent on to the same answer as a link.
 */
export async function takePostedAnswer({ config }: AuthService, c: Context<AppEnv>): Promise<Response> {
  const read = await readText(c.req.raw, LARGEST_ANSWER_BYTES);
  if (read.outcome !== 'read') throw new AuthError('bodyTooLarge');
  const posted = new URLSearchParams(read.text);
  const answer = new URLSearchParams([...posted].filter(([name]) => PARTS.includes(name)));
  c.header('Referrer-Policy', 'no-referrer');
  return c.redirect(`${config.publicUrl}/auth/v1/callback?${answer}`, 303);
}

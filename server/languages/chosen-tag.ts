import type { Context } from 'hono';
import { LANGUAGE_COOKIE } from '#domain/language-list.ts';

/** Returns the tag that the visitor chose, if it is one of `tags`. */
export function chosenTag(c: Context, tags: readonly string[]): string | null {
  const cookie = c.req.header('cookie');
  // Most visitors have chosen nothing.
  if (cookie === undefined || !cookie.includes(`${LANGUAGE_COOKIE}=`)) return null;
  const pair = cookie
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(`${LANGUAGE_COOKIE}=`));
  const tag = pair?.slice(LANGUAGE_COOKIE.length + 1);
  return tags.find((known) => known === tag) ?? null;
}

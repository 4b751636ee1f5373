import type { Context } from 'hono';
import { english, type Language } from '#domain/language.ts';
import { negotiateLanguage } from '#domain/negotiate-language.ts';

/** Returns the language of the response: that of `languages` which Accept-Language prefers most, else the first. */
export function requestLanguage(c: Context, languages: readonly [Language, ...Language[]] = [english]): Language {
  const [first] = languages;
  // Fast path: there is no choice, and pages are served thousands of times per second.
  if (languages.length === 1) return first;
  const tag = negotiateLanguage(
    c.req.header('accept-language'),
    languages.map((language) => language.tag),
  );
  return languages.find((language) => language.tag === tag) ?? first;
}

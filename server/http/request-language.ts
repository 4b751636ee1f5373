import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { LANGUAGES, type Language } from '#domain/language.ts';

/**
 * Returns the language of the response: the language of the build that Accept-Language prefers most (RFC 9110, section
 * 12.5.4), else the first. A regional tag matches its language: `en-GB` is served `en`.
 */
export function requestLanguage(c: Context, languages: readonly [Language, ...Language[]] = LANGUAGES): Language {
  const [first] = languages;
  // Fast path: there is no choice, and pages are served thousands of times per second.
  if (languages.length === 1) return first;
  const tag = accepts(c, {
    header: 'Accept-Language',
    supports: languages.map((language) => language.tag),
    default: first.tag,
    match: (preferences, { supports, default: fallback }) =>
      preferences
        .filter(({ q }) => q > 0)
        .sort((a, b) => b.q - a.q)
        .map(({ type }) => supports.find((supported) => matches(type, supported)))
        .find((found) => found !== undefined) ?? fallback,
  });
  return languages.find((language) => language.tag === tag) ?? first;
}

function matches(range: string, tag: string): boolean {
  const wanted = range.toLowerCase();
  return wanted === tag.toLowerCase() || wanted.startsWith(`${tag.toLowerCase()}-`);
}

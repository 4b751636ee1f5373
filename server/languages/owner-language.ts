import type { Context } from 'hono';
import { type Language, languageOf } from '#domain/language.ts';
import { LANGUAGE_LIST, type ListedLanguage } from '#domain/language-list.ts';
import { negotiateLanguage } from '#domain/negotiate-language.ts';
import { loadWords } from '#domain/words/compiled/load-words.ts';
import { hasWords, keepWords } from '#domain/words/loaded-words.ts';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { chosenTag } from './chosen-tag.ts';

/** The languages of owners' screens, letters, and notifications. */
const OWNER_LANGUAGES: readonly ListedLanguage[] = LANGUAGE_LIST.filter(({ tag }) => Object.hasOwn(loadWords, tag));

const primary = (tag: string) => tag.split('-')[0];

/** The language of owners that is nearest to another one: itself, or another variety of it. Undefined where there is none. */
function nearest(tag: string): ListedLanguage | undefined {
  return (
    OWNER_LANGUAGES.find((language) => language.tag === tag) ??
    OWNER_LANGUAGES.find((language) => primary(language.tag) === primary(tag))
  );
}

/** What owners may ask for: a language of theirs, or one that has a near one. */
const READ_TAGS = LANGUAGE_LIST.map(({ tag }) => tag).filter((tag) => nearest(tag) !== undefined);

type Needs = Pick<Config, 'defaultLanguage'>;

/**
 * Returns the language of owners that is nearest to a stored tag, else to the installation's, else English. It is loaded, and
 * stays: all of them are a few megabytes.
 */
export async function ownerLanguageOf(stored: string | null, { defaultLanguage }: Needs): Promise<Language> {
  const language = nearest(stored ?? '') ?? nearest(defaultLanguage.tag) ?? nearest('en');
  const load = loadWords[language?.tag ?? ''];
  if (language === undefined || load === undefined) throw new Error('This build has no words of owners.');
  if (!hasWords(language.tag)) keepWords(language.tag, await load());
  return languageOf(language);
}

/** Returns the tag of the language of owners that the visitor chose; null where they chose none of them. */
export function chosenOwnerTag(c: Context<AppEnv>): string | null {
  return nearest(chosenTag(c, READ_TAGS) ?? '')?.tag ?? null;
}

/** Returns the tag of the language of owners that the visitor chose, else the one that the browser asks for, else null. */
export function askedOwnerTag(c: Context<AppEnv>): string | null {
  return chosenOwnerTag(c) ?? nearest(negotiateLanguage(c.req.header('accept-language'), READ_TAGS) ?? '')?.tag ?? null;
}

/** Returns the language of a request from an owner's screen: what it asks for, else the installation's. */
export async function ownerLanguage(c: Context<AppEnv>, config: Needs): Promise<Language> {
  return ownerLanguageOf(askedOwnerTag(c), config);
}

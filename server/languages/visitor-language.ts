import type { Context } from 'hono';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { negotiateLanguage } from '#domain/negotiate-language.ts';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import type { RequestCheck } from '#server/http/request-checks.ts';
import { chosenTag } from './chosen-tag.ts';
import { englishForFinders, FINDER_LANGUAGES, loadedLanguage, loadLanguage } from './load-language.ts';

const TAGS = FINDER_LANGUAGES.map(({ tag }) => tag);

/**
 * Chooses the language of the request's pages for finders: what the visitor chose, else what the browser asks for, else the
 * installation's. Handlers read it with `visitorLanguage`.
 */
export const chooseLanguage =
  ({ defaultLanguage }: Pick<Config, 'defaultLanguage'>): RequestCheck =>
  (c) => {
    const tag = chosenTag(c, TAGS) ?? negotiateLanguage(c.req.header('accept-language'), TAGS) ?? defaultLanguage.tag;
    const language = loadedLanguage(tag);
    if (language === undefined) {
      return loadLanguage(tag).then((late) => {
        c.set('finderLanguage', late);
        return undefined;
      });
    }
    c.set('finderLanguage', language);
    return undefined;
  };

/** Returns the language of the request's pages for finders. */
export function visitorLanguage(c: Context<AppEnv>): FinderLanguage {
  return c.get('finderLanguage') ?? englishForFinders;
}

import { Hono } from 'hono';
import { LANGUAGE_COOKIE } from '#domain/language-list.ts';
import { LANGUAGE_DAYS } from '#domain/retention.ts';
import type { Config } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isPublicHttps } from '#server/http/default-headers.ts';
import { FINDER_LANGUAGES } from '#server/languages/load-language.ts';
import type { FinderDocuments } from '../finder/finder-documents.ts';
import { onlyOwnForms, refuseForm } from '../forms/own-forms.ts';
import { readForm } from '../forms/read-form.ts';

export interface LanguageRoutesOptions {
  readonly config: Config;
  readonly documents: Pick<FinderDocuments, 'languages'>;
}

/** `/language`: a plain page of all languages. The browser keeps the choice, and the visitor returns to the page before. */
export function languageRoutes({ config, documents }: LanguageRoutesOptions): Hono<AppEnv> {
  const routes = new Hono<AppEnv>({ strict: false });
  // Scripts read it, and tell the account of the choice (`app/client/language/save-language.ts`).
  const attributes = `Path=/; Max-Age=${LANGUAGE_DAYS * 86_400}; SameSite=Lax${isPublicHttps(config) ? '; Secure' : ''}`;

  routes.get('/language', (c) => documents.languages(c, pageOfOurs(c.req.header('referer'), c.req.header('host'))));

  routes.post('/language', onlyOwnForms(config.publicUrl), async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const language = FINDER_LANGUAGES.find(({ tag }) => tag === form.fields.get('tag'));
    if (language === undefined) return refuseForm(c, 400);
    const host = c.req.header('host');
    const back = pageOfOurs(`http://${host}${form.fields.get('back') ?? ''}`, host);
    c.header('Set-Cookie', `${LANGUAGE_COOKIE}=${language.tag}; ${attributes}`);
    c.header('Cache-Control', 'no-store');
    return c.redirect(back ?? '/language', 303);
  });

  return routes;
}

/** What only forms are sent to, below the page of an item. */
const FORMS_OF_ITEM = /^(\/item\/[^/]+)\/(?:contact|message|other|email\/remove)$/;

/**
 * Returns the path of a page of ours that a visitor was on, or null for another site's and for what is no page to return to.
 * What it returns never leads to another site.
 */
function pageOfOurs(address: string | undefined, host: string | undefined): string | null {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null || url.host !== host || url.pathname === '/language') return null;
  // Two slashes at the beginning of a path name another site.
  const path = url.pathname.replace(/^\/+/, '/');
  return path.replace(FORMS_OF_ITEM, '$1');
}

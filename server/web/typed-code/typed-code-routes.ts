import { type Context, Hono } from 'hono';
import { readTypedSticker } from '#domain/tag-code/read-scanned-value.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { readTypedCode } from '#domain/tag-code/typed-code.ts';
import { typedCodeProblem } from '#domain/texts/typed-code-problem.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import type { FinderDocuments } from '../finder/finder-documents.ts';
import { type TypedCodeLookUpOptions, typedCodeLookUp } from './look-up-typed-code.ts';

/** What is shown again of a text that was typed; more is no code. */
const MOST_CHARACTERS = 200;

export interface TypedCodeRoutesOptions extends TypedCodeLookUpOptions {
  readonly documents: Pick<FinderDocuments, 'typedCode' | 'notice'>;
  readonly isSignedIn: (cookieHeader: string | undefined) => boolean;
}

/**
 * For a sticker that cannot be scanned: `/found` is a form for its typed code, and `/f/{typed code}` leads where the
 * sticker does. Both work without scripts, but for `/f/…` in a signed-in browser, which gets the app. A text that cannot be a code is refused without a look-up.
 */
export function typedCodeRoutes({ database, misses, documents, isSignedIn }: TypedCodeRoutesOptions): Hono<AppEnv> {
  const lookUp = typedCodeLookUp({ database, misses });
  const routes = new Hono<AppEnv>({ strict: false });

  /** Serves the form again, with what is wrong with the text. */
  function refuse(c: Context<AppEnv>, text: string): Response | Promise<Response> {
    const { texts } = visitorLanguage(c);
    const read = readTypedCode(text);
    const problem = read.ok ? texts.typedCode.unknown : typedCodeProblem(read.problem, texts);
    return documents.typedCode(c, { typed: text.slice(0, MOST_CHARACTERS), problem }, read.ok ? 404 : 422);
  }

  routes.get('/found', (c) => {
    const text = c.req.query('typed');
    if (text === undefined) return documents.typedCode(c, { typed: '' }, 200);
    const path = pathOf(text);
    if (path === null) return refuse(c, text);
    c.header('Cache-Control', 'no-store');
    return c.redirect(path, 303);
  });

  routes.get('/f/:typedCode', async (c, next) => {
    const text = c.req.param('typedCode');
    const read = readTypedCode(text);
    if (!read.ok) return refuse(c, text);
    c.header('Vary', 'Cookie');
    // The app asks with the session: to its owner, a void code is not unknown.
    if (isSignedIn(c.req.header('cookie'))) return next();
    const found = await lookUp(read.typedCode, c.get('clientAddress'));
    if (found.kind === 'missing') return refuse(c, text);
    if (found.kind === 'too-many') {
      c.header('Retry-After', String(found.retryAfterSeconds));
      return documents.notice(c, 'too-many', null, 429);
    }
    c.header('Cache-Control', 'no-store');
    return c.redirect(stickerLink('', found.code), 302);
  });

  return routes;
}

/** Returns where the text leads: that of a sticker may as well be its link or its tag code. */
function pathOf(text: string): string | null {
  const sticker = readTypedSticker(text);
  if (sticker === null) return null;
  return sticker.kind === 'typed-code' ? `/f/${sticker.typedCode}` : stickerLink('', sticker.code);
}

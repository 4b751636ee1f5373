import { type Context, Hono } from 'hono';
import type { Conversation, SpokenConversation } from '#domain/contact/conversation.ts';
import type { FinderLanguage } from '#domain/finder-language.ts';
import { isTagCode } from '#domain/tag-code/tag-code.ts';
import { detailsInWords, writtenIn } from '#domain/texts/message-in-words.ts';
import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { etagOf, isFresh } from '#server/http/etag.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { checkReturnCode } from '../conversation/check-return-code.ts';
import { type FinderKeys, isReturnKey } from '../conversation/finder-key.ts';
import type { LookAtConversation } from '../conversation/look-at-conversation.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import type { WasMoved } from '../conversation/was-moved.ts';
import { onlyOwnForms, refuseForm } from '../forms/own-forms.ts';
import { readForm } from '../forms/read-form.ts';
import type { FinderDocuments, FormProblem, ProblemStatus } from './finder-documents.ts';
import type { FoundEntry } from './item-cache.ts';

export interface ConversationRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'database' | 'limits'>;
  readonly keys: FinderKeys;
  readonly returnCodes: Pick<ReturnCodes, 'keyOf'>;
  readonly documents: Pick<FinderDocuments, 'conversation'>;
  readonly openConversation: OpenConversation;
  readonly lookAtConversation: LookAtConversation;
  readonly wasMoved: WasMoved;
  /** Returns the item with the code in the path, or the response that says why there is none. */
  readonly foundOr: (c: Context<AppEnv>, code: string) => Promise<FoundEntry | Response>;
  /** Serves the page again with the problem. */
  readonly problemDocument: (
    c: Context<AppEnv>,
    entry: FoundEntry,
    problem: FormProblem,
    status: ProblemStatus,
  ) => Promise<Response>;
}

/** The routes by which a finder reads a conversation, and returns to it from any browser. All work without scripts. */
export function conversationRoutes(options: ConversationRoutesOptions): Hono<AppEnv> {
  const {
    dependencies,
    keys,
    returnCodes,
    documents,
    openConversation,
    lookAtConversation,
    wasMoved,
    foundOr,
    problemDocument,
  } = options;
  const { config, database, limits } = dependencies;
  const check = checkReturnCode({ database, limits, returnCodes, openConversation, wasMoved });
  const routes = new Hono<AppEnv>({ strict: false });

  /** Leads to the conversation of the first key, which the browser stores from now on. */
  function enter(c: Context<AppEnv>, code: string, finderKeys: readonly string[]): Response {
    const cookies = keys.cookies(c.req.header('cookie'), code, finderKeys);
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
    c.header('Cache-Control', 'no-store');
    // Of a private link, neither the next page nor another site may learn the address.
    c.header('Referrer-Policy', 'no-referrer');
    return c.redirect(`/item/${code}#conversation`, 303);
  }

  // The page's script polls this; an unchanged conversation is a 304 without a body.
  routes.get('/:code/conversation', async (c) => {
    const code = c.req.param('code');
    const opened = isTagCode(code) ? await lookAtConversation(code, keys.kept(c.req.header('cookie'))) : null;
    const body = JSON.stringify(opened && inWords(opened.conversation, visitorLanguage(c), c.req.header('time-zone')));
    const etag = etagOf(body);
    const headers = { ETag: etag, 'Cache-Control': 'private, no-store', Vary: 'Cookie, Accept-Language' };
    if (isFresh(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
  });

  // A private link. Messengers fetch links to preview them: this changes nothing but the caller's own cookie. A link on
  // another site waits for a button: that site could lead a finder into its own conversation unnoticed.
  routes.get('/:code/back/:key', async (c) => {
    const code = c.req.param('code');
    const key = c.req.param('key');
    const found = await foundOr(c, code);
    if (found instanceof Response) return found;
    const opened = isReturnKey(key) ? await openConversation(code, [key]) : null;
    const kept = keys.kept(c.req.header('cookie'));
    if (opened !== null) {
      if (isOpenedByUser(c)) return enter(c, code, [key, ...kept]);
      return documents.conversation(c, found, { returning: true, linkKey: key, conversation: null });
    }
    const { conversation } = visitorLanguage(c).texts;
    if (isReturnKey(key) && (await wasMoved(code, [key]))) {
      return documents.conversation(c, found, { conversation: null, moved: true });
    }
    return problemDocument(c, found, { returning: true, returnProblem: conversation.opensNothing }, 404);
  });

  routes.get('/:code/back', async (c) => {
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    const opened = await lookAtConversation(found.code, keys.kept(c.req.header('cookie')));
    return documents.conversation(c, found, { returning: true, conversation: opened?.conversation ?? null });
  });

  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/back', (c, next) => (['GET', 'HEAD'].includes(c.req.method) ? next() : ownFormsAlone(c, next)));
  routes.use('/:code/other', ownFormsAlone);

  routes.post('/:code/back', async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    const { code } = found;
    const texts = visitorLanguage(c).texts;
    const linkKey = form.fields.get('finder_key');
    if (linkKey !== null && isReturnKey(linkKey) && (await openConversation(code, [linkKey])) !== null) {
      return enter(c, code, [linkKey, ...keys.kept(c.req.header('cookie'))]);
    }
    const typed = form.fields.get('return_code') ?? '';
    const checked = await check({ code, typed, clientAddress: c.get('clientAddress'), texts });
    if ('finderKey' in checked) return enter(c, code, [checked.finderKey, ...keys.kept(c.req.header('cookie'))]);
    const { problem, status } = checked;
    if (status === 429) c.header('Retry-After', String(checked.retryAfterSeconds));
    return problemDocument(c, found, { returning: true, returnProblem: problem, typedReturnCode: typed }, status);
  });

  // The browser's next conversation about the item.
  routes.post('/:code/other', async (c) => {
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;
    const { code } = found;
    const finderKeys = keys.kept(c.req.header('cookie'));
    const shown = (await openConversation(code, finderKeys))?.finderKey;
    const at = shown === undefined ? 0 : finderKeys.indexOf(shown) + 1;
    return enter(c, code, [...finderKeys.slice(at), ...finderKeys.slice(0, at)]);
  });

  return routes;
}

/** Returns the conversation with the details of each message as the script shows them, in the finder's time zone. */
function inWords(conversation: Conversation, language: FinderLanguage, timeZone?: string): SpokenConversation {
  const { tag, words } = language;
  const messages = conversation.messages.map((message) => ({
    ...message,
    language: message.language ?? '',
    said: detailsInWords(message, language, timeZone).join('\n'),
    note: (message.sender !== 'finder' && writtenIn(message, { tag, phrases: words.phrases })) || '',
  }));
  return { ...conversation, messages };
}

/** Whether the user entered or tapped the address outside any other site, according to the browser (Fetch Metadata). */
function isOpenedByUser(c: Context<AppEnv>): boolean {
  const site = c.req.header('sec-fetch-site');
  return site === 'none' || site === 'same-origin';
}

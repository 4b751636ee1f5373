import { type Context, Hono, type Next } from 'hono';
import { APP_QUERY } from '#domain/app-query.ts';
import { isContactChannel } from '#domain/contact-links.ts';
import { en } from '#domain/messages/en.ts';
import { isTagCode, NEW_ITEM } from '#domain/tag-code.ts';
import { trimMessage } from '#domain/trim-message.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isPublicHttps } from '#server/http/every-answer.ts';
import { isFresh } from '#server/http/is-fresh.ts';
import { createMessageLimit } from '#server/http/message-limit.ts';
import { isUuid } from '#server/is-uuid.ts';
import { inTime } from '#server/postgres/in-time.ts';
import type { FinderDocuments, FormProblem, ProblemStatus } from './finder-documents.ts';
import { finderKeys } from './finder-key.ts';
import { etagOf } from './finish-document.ts';
import type { FoundEntry } from './found-items.ts';
import type { LookUpCode } from './look-up-code.ts';
import { openChannel } from './open-channel.ts';
import { readConversation } from './read-conversation.ts';
import { readForm } from './read-form.ts';
import { isSameOrigin } from './same-origin.ts';
import { messageProblem, sendMessage } from './send-message.ts';
import { wantsJson } from './wants-json.ts';

export interface FinderRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'database' | 'limits'>;
  readonly documents: FinderDocuments;
  readonly lookUp: LookUpCode;
  /** Whether the browser says that somebody is signed in: then the app shows the item. */
  readonly isSignedIn: (cookieHeader: string | undefined) => boolean;
}

/** A visitor's statement ends after a second; a database that takes longer hangs. */
const CONVERSATION_WITHIN_MS = 1_500;

/** The finder's page, the two things that can be done on it, and the conversation. All of it works without a script. */
export function finderRoutes({ dependencies, documents, lookUp, isSignedIn }: FinderRoutesOptions): Hono<AppEnv> {
  const { config, database, limits } = dependencies;
  const messageLimit = createMessageLimit({ database, limits });
  const keys = finderKeys({
    storagePrefix: config.storagePrefix,
    secure: isPublicHttps(config),
  });
  const routes = new Hono<AppEnv>({ strict: false });

  /** The item of the code in the path, or the answer that says why there is none. */
  async function foundOr(c: Context<AppEnv>, code: string): Promise<FoundEntry | Response> {
    const found = isTagCode(code) ? await lookUp(code, c.get('clientAddress')) : null;
    if (found?.kind === 'found') return found.entry;
    if (found?.kind === 'too-many') {
      c.header('Retry-After', String(found.retryAfterSeconds));
      if (wantsJson(c)) return c.json({ problem: en.finder.tooManyLookupsText }, 429);
      return documents.notice(c, 'too-many', null, 429);
    }
    // The item was deleted while its page was open, perhaps: the page's script can say so where it stands.
    if (wantsJson(c)) return c.json({ problem: en.item.placeholderText }, 404);
    return documents.notice(c, 'placeholder', found === null ? null : code, 404);
  }

  routes.get('/:code', async (c, next) => {
    const code = c.req.param('code');
    // `.data` is how the app's router asks for a screen's data when somebody goes there within the app.
    if (code === NEW_ITEM || code.endsWith('.data') || isSignedIn(c.req.header('cookie'))) return next();
    if (c.req.query(APP_QUERY) !== undefined) return next();
    const found = await foundOr(c, code);
    if (found instanceof Response) return found;
    const sent = c.req.query('sent') === '1';
    const key = keys.kept(c.req.header('cookie'));
    const conversation =
      key === null ? null : await inTime(readConversation(database, code, key), CONVERSATION_WITHIN_MS);
    return conversation === null
      ? documents.item(c, found, sent)
      : documents.conversation(c, found, { sent, conversation });
  });

  // What the page's script asks for again and again: an answer that has not changed costs no body.
  routes.get('/:code/conversation', async (c) => {
    const code = c.req.param('code');
    const key = keys.kept(c.req.header('cookie'));
    const conversation = key === null || !isTagCode(code) ? null : await readConversation(database, code, key);
    const body = JSON.stringify(conversation);
    const etag = etagOf(body);
    const headers = { ETag: etag, 'Cache-Control': 'private, no-store', Vary: 'Cookie' };
    if (isFresh(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
  });

  /** The page once more with what was wrong, and with the conversation of whoever has one. */
  async function problemDocument(c: Context<AppEnv>, entry: FoundEntry, problem: FormProblem, status: ProblemStatus) {
    const key = keys.kept(c.req.header('cookie'));
    const conversation = key === null ? null : await readConversation(database, entry.code, key);
    return documents.problem(c, entry, { ...problem, conversation }, status);
  }

  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/contact', ownFormsAlone);
  routes.use('/:code/message', ownFormsAlone);

  routes.post('/:code/contact', async (c) => {
    const form = await readForm(c.req);
    if ('status' in form) return refuse(c, form.status, en.common.anErrorOccurred);
    const channel = form.fields.get('channel') ?? '';
    if (!isContactChannel(channel)) return refuse(c, 400, en.common.anErrorOccurred);
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;

    const problem = async (text: string, status: 409 | 429) =>
      wantsJson(c) ? c.json({ problem: text }, status) : problemDocument(c, found, { contactProblem: text }, status);
    const allowed = await limits.take('open_channel', c.get('clientAddress'));
    if (!allowed.allowed) {
      c.header('Retry-After', String(allowed.retryAfterSeconds));
      return problem(en.finder.tooManyOpenings, 429);
    }
    const opened = await openChannel({ database, productName: config.productName }, found.code, found.item, channel);
    if ('problem' in opened) return problem(opened.problem, 409);
    const { href } = opened;
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    return wantsJson(c) ? c.json({ href }) : c.body(null, 303, { Location: href });
  });

  routes.post('/:code/message', async (c) => {
    const form = await readForm(c.req);
    if ('status' in form) return refuse(c, form.status, en.common.anErrorOccurred);
    const messageId = form.fields.get('message_id');
    if (messageId !== null && !isUuid(messageId)) return refuse(c, 400, en.common.anErrorOccurred);
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;

    const body = trimMessage(form.fields.get('body') ?? '');
    const problem = async (text: string, status: 403 | 404 | 409 | 422 | 429) =>
      wantsJson(c)
        ? c.json({ problem: text }, status)
        : problemDocument(c, found, { messageProblem: text, typed: body }, status);
    const wrong = messageProblem(body);
    if (wrong !== null) return problem(wrong, 422);

    const { code } = found;
    const key = keys.forMessage(c.req.header('cookie'), form.fields.get('finder_key'));
    const sent = await sendMessage(
      { database, limit: messageLimit },
      { code, body, messageId, finderKey: key, clientAddress: c.get('clientAddress') },
    );
    if (!sent.ok) {
      if (sent.retryAfterSeconds !== undefined) c.header('Retry-After', String(sent.retryAfterSeconds));
      return problem(sent.problem, sent.status);
    }
    c.header('Set-Cookie', keys.cookie(code, key));
    c.header('Cache-Control', 'no-store');
    return wantsJson(c) ? c.json(sent.answer) : c.redirect(`/item/${code}?sent=1#message`, 303);
  });

  return routes;
}

/** Posting from another site is refused, and nothing else but posting is possible. */
function onlyOwnForms(publicUrl: string) {
  return async (c: Context<AppEnv>, next: Next) => {
    if (c.req.method !== 'POST') return c.text('Method not allowed', 405, { Allow: 'POST' });
    return isSameOrigin(c.req, publicUrl) ? next() : refuse(c, 403, en.finder.foreignForm);
  };
}

/** For what no form of ours sends: short, in the shape that was asked for. */
function refuse(c: Context<AppEnv>, status: 400 | 403 | 413 | 415, text: string): Response {
  return wantsJson(c) ? c.json({ problem: text }, status) : c.text(text, status);
}

import { type Context, Hono } from 'hono';
import { isExternalContactMethod, leadsOutside } from '#domain/contact/contact-methods.ts';
import { isPlacedTap } from '#domain/contact/message-details.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { timeOrderedId } from '#domain/ids.ts';
import { APP_QUERY } from '#domain/tag-code/app-query.ts';
import { codeBeforeMarks, isTagCode, NEW_ITEM } from '#domain/tag-code/tag-code.ts';
import type { FinderAddresses } from '#server/conversations/finder-addresses.ts';
import { type MessagePhotos, PHOTO_PROBLEMS, type PhotoProblem } from '#server/conversations/message-photos.ts';
import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { isUuid } from '#server/is-uuid.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { createMessageLimit, isKnownMessage } from '#server/limits/message-limit.ts';
import { respondInTime, withoutTimeLimit } from '#server/web/checks/respond-in-time.ts';
import { type FinderKeys, newFinderKey } from '../conversation/finder-key.ts';
import { nextMessageKeys } from '../conversation/key-of-next-message.ts';
import type { LookAtConversation } from '../conversation/look-at-conversation.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import { lacksMoment, readMessageDetails } from '../conversation/read-message-details.ts';
import { repeatedTaps } from '../conversation/repeated-tap.ts';
import type { WasMoved } from '../conversation/was-moved.ts';
import { onlyOwnForms, refuseForm } from '../forms/own-forms.ts';
import { readForm } from '../forms/read-form.ts';
import { dropPhoto, type FormPhoto, readMessageForm } from '../forms/read-message-form.ts';
import { wantsJson } from '../forms/wants-json.ts';
import { formPhotos } from '../photo/form-photos.ts';
import { photoProblem, photoRoutes } from '../photo/photo-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import type { FinderDocuments, FormProblem, ProblemStatus } from './finder-documents.ts';
import { finderEmailRoutes } from './finder-email-routes.ts';
import type { FoundEntry } from './item-cache.ts';
import { findWithoutMarks, LOOK_UP_TIMEOUT_MS, type LookUpCode } from './look-up-code.ts';
import { openContactMethod } from './open-contact-method.ts';
import { phraseRoutes } from './phrase-routes.ts';
import { reportRoutes } from './report-routes.ts';
import { messageProblem, sendMessage } from './send-message.ts';
import type { ShowItem } from './show-item.ts';

export interface FinderRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'database' | 'files' | 'limits' | 'now' | 'secrets'>;
  readonly documents: FinderDocuments;
  readonly photos: MessagePhotos;
  readonly lookUp: LookUpCode;
  readonly keys: FinderKeys;
  readonly returnCodes: ReturnCodes;
  readonly addresses: FinderAddresses;
  readonly openConversation: OpenConversation;
  readonly lookAtConversation: LookAtConversation;
  readonly wasMoved: WasMoved;
  readonly show: ShowItem;
  /** Whether the cookies suggest a signed-in user, for whom the app shows the item. */
  readonly isSignedIn: (cookieHeader: string | undefined) => boolean;
}

/** The routes of the finder's page, its forms and the conversation. All work without scripts. */
export function finderRoutes({
  dependencies,
  documents,
  photos,
  lookUp,
  keys,
  returnCodes,
  addresses,
  openConversation,
  lookAtConversation,
  wasMoved,
  show,
  isSignedIn,
}: FinderRoutesOptions): Hono<AppEnv> {
  const { config, database, files, limits } = dependencies;
  const messageLimit = createMessageLimit({ database, limits });
  const inForms = formPhotos({ files, photos, openConversation });
  const idsOfTap = repeatedTaps(dependencies);
  const keyOfNextMessage = nextMessageKeys({ database, openConversation });
  const routes = new Hono<AppEnv>({ strict: false });

  /** Returns the item with the code in the path, or the response that says why there is none. */
  async function foundOr(c: Context<AppEnv>, code: string): Promise<FoundEntry | Response> {
    const found = isTagCode(code) ? await lookUp(code, c.get('clientAddress')) : null;
    if (found?.kind === 'found') return found.entry;
    if (found?.kind === 'too-many') {
      c.header('Retry-After', String(found.retryAfterSeconds));
      if (wantsJson(c)) return c.json({ problem: visitorLanguage(c).texts.finder.tooManyLookupsText }, 429);
      return documents.notice(c, 'too-many', null, 429);
    }
    const isInUse = found?.isClaimable ?? true;
    // The item may have been deleted while its page was open; the page's script shows this text in place.
    if (wantsJson(c)) {
      const { item } = visitorLanguage(c).texts;
      return c.json({ problem: isInUse ? item.placeholderText : item.notInUseText }, 404);
    }
    if (!isInUse) return documents.notice(c, 'not-in-use', null, 404);
    return found === null ? documents.notice(c, 'nowhere', null, 404) : documents.notice(c, 'placeholder', code, 404);
  }

  routes.get('/:code', async (c, next) => {
    const code = c.req.param('code');
    // What a program took for a part of the address.
    const meant = isTagCode(code) || code.endsWith('.data') ? null : codeBeforeMarks(code);
    if (meant !== null) return c.redirect(`/item/${meant}`, 302);
    // The app's router requests `.data` when the user navigates within the app.
    if (code === NEW_ITEM || code.endsWith('.data') || isSignedIn(c.req.header('cookie'))) return next();
    if (c.req.query(APP_QUERY) !== undefined) return next();
    const found = await foundOr(c, code);
    if (found instanceof Response) {
      const shorter = found.status === 404 ? await findWithoutMarks(lookUp, code, c.get('clientAddress')) : null;
      return shorter === null ? found : c.redirect(`/item/${shorter.code}`, 302);
    }
    const outcome = c.req.query('photo');
    const messageProblem = isPhotoProblem(outcome) ? photoProblem(c, outcome) : undefined;
    return show(c, found, { sent: c.req.query('sent') === '1', messageProblem });
  });

  // The item's own page is served from memory, and limits each of its parts.
  routes.use('/:code/*', (c, next) => (isPageOfItem(c.req.path) ? respondInTime(c, next) : next()));

  /** Serves the page again with the problem, and with the conversation where the finder has one. */
  async function problemDocument(c: Context<AppEnv>, entry: FoundEntry, problem: FormProblem, status: ProblemStatus) {
    const opened = await lookAtConversation(entry.code, keys.kept(c.req.header('cookie')));
    return documents.problem(c, entry, { ...problem, conversation: opened?.conversation ?? null }, status);
  }

  routes.route(
    '/',
    conversationRoutes({
      dependencies,
      keys,
      returnCodes,
      documents,
      openConversation,
      lookAtConversation,
      wasMoved,
      foundOr,
      problemDocument,
    }),
  );

  routes.route('/', photoRoutes({ dependencies, photos, keys, openConversation, foundOr }));
  routes.route('/', phraseRoutes({ documents, foundOr }));
  routes.route('/', reportRoutes({ dependencies, documents, foundOr }));
  routes.route('/', finderEmailRoutes({ dependencies, addresses, keys, documents, openConversation, foundOr }));

  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/contact', ownFormsAlone);
  routes.use('/:code/message', ownFormsAlone);

  routes.post('/:code/contact', async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const channel = form.fields.get('channel') ?? '';
    if (!isExternalContactMethod(channel)) return refuseForm(c, 400);
    const found = await foundOr(c, c.req.param('code'));
    if (found instanceof Response) return found;

    const texts = visitorLanguage(c).texts;
    const problem = async (text: string, status: 409 | 429) =>
      wantsJson(c) ? c.json({ problem: text }, status) : problemDocument(c, found, { contactProblem: text }, status);
    const allowed = await limits.take('open_channel', c.get('clientAddress'));
    if (!allowed.allowed) {
      c.header('Retry-After', String(allowed.retryAfterSeconds));
      return problem(texts.finder.tooManyOpenings, 429);
    }
    const opened = await openContactMethod(
      { database, productName: config.productName, texts },
      found.code,
      found.item,
      channel,
    );
    if ('problem' in opened) return problem(opened.problem, 409);
    const { href } = opened;
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    return wantsJson(c) ? c.json({ href }) : c.body(null, 303, { Location: href });
  });

  routes.post('/:code/message', async (c) => {
    let found: Promise<FoundEntry | Response> | undefined;
    /** A photo needs the code before the message does. A code is looked up, and a miss counted, once. */
    const find = () => {
      found ??= foundOr(c, c.req.param('code')).catch((error: unknown) => {
        found = undefined;
        throw error;
      });
      return found;
    };
    const form = await readMessageForm(c, { spool: files.spool, take: inForms.takeFor(c, find, LOOK_UP_TIMEOUT_MS) });
    if ('status' in form) return refuseForm(c, form.status);
    try {
      return await takeMessage(c, form.fields, form.photo, find);
    } finally {
      await dropPhoto(files.spool, form.photo);
    }
  });

  async function takeMessage(
    c: Context<AppEnv>,
    fields: URLSearchParams,
    photo: FormPhoto,
    find: () => Promise<FoundEntry | Response>,
  ): Promise<Response> {
    const details = readMessageDetails(fields, photo !== null);
    if (details === null) return refuseForm(c, 400);
    const body = trimMessage(fields.get('body') ?? '');
    const cookies = c.req.header('cookie');
    const kept = keys.kept(cookies);
    const address = c.get('clientAddress');
    const isTap = details.kind !== 'text' && body === '' && photo === null && !fields.has('message_id');
    const browser = [address, c.req.header('user-agent'), c.req.header('accept-language')];
    const ids = isTap ? idsOfTap({ code: c.req.param('code') ?? '', details, browser, kept }) : null;
    let messageId = ids?.now.messageId ?? fields.get('message_id') ?? timeOrderedId();
    let proposedKey = ids?.now.finderKey ?? newFinderKey(fields.get('finder_key'));
    if (!isUuid(messageId)) return refuseForm(c, 400);
    // Where it cannot be confirmed, the finder is offered to send the same message again.
    fields.set('message_id', messageId);
    fields.set('finder_key', proposedKey);
    fields.set('kind', details.kind);
    const found = await find();
    if (found instanceof Response) return found;

    const problem = async (text: string, status: 403 | 404 | 409 | 422 | 429) =>
      wantsJson(c)
        ? c.json({ problem: text }, status)
        : problemDocument(c, found, { messageProblem: text, typed: body, typedPlace: details.place ?? '' }, status);
    const { tag: language, texts } = visitorLanguage(c);
    if (lacksMoment(fields, details)) {
      const problem = texts.phrases.incomplete;
      if (wantsJson(c)) return c.json({ problem }, 422);
      const typed = { kind: details.kind, place: details.place ?? '', problem };
      return documents.phrases(c, found, { timeZone: null, typed }, 422);
    }
    const wrong = messageProblem(body, details, texts);
    if (wrong !== null) return problem(wrong, 422);

    // The page's script asks by itself. `sure` is the button beside the place.
    const { kind, place, location } = details;
    const isBare = place === null && location === null && body === '' && photo === null;
    if (isPlacedTap(kind) && isBare && !fields.has('sure') && !wantsJson(c)) {
      return problemDocument(c, found, { asked: kind }, 422);
    }

    const { code } = found;
    if (ids !== null && (await isKnownMessage(database, code, ids.before.messageId))) {
      messageId = ids.before.messageId;
      proposedKey = ids.before.finderKey;
    }
    const key = await keyOfNextMessage(code, kept, proposedKey);
    const sent = await sendMessage(
      { database, limit: messageLimit, texts, hasOtherMethods: leadsOutside(found.item.channels) },
      { code, body, details, language, messageId, finderKey: key, clientAddress: address },
    );
    if (!sent.ok) {
      if (sent.retryAfterSeconds !== undefined) c.header('Retry-After', String(sent.retryAfterSeconds));
      return problem(sent.problem, sent.status);
    }
    const message = { code, id: sent.accepted.message_id, finderKey: key };
    const outcome = await withoutTimeLimit(c, () => inForms.attach(message, photo, address));
    for (const cookie of keys.cookies(cookies, code, [key, ...kept])) c.header('Set-Cookie', cookie, { append: true });
    c.header('Cache-Control', 'no-store');
    if (wantsJson(c)) return c.json(outcome === null ? sent.accepted : { ...sent.accepted, photo: outcome });
    const lost = outcome === null || outcome === 'attached' ? '' : `&photo=${outcome}`;
    return c.redirect(`/item/${code}?sent=1${lost}#message`, 303);
  }

  return routes;
}

/** Whether the path names a page below that of an item. */
function isPageOfItem(path: string): boolean {
  return path.split('/').length > 3;
}

function isPhotoProblem(text: string | undefined): text is PhotoProblem {
  return (PHOTO_PROBLEMS as readonly (string | undefined)[]).includes(text);
}

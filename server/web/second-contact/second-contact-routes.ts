import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { countCharacters } from '#domain/contact/count-characters.ts';
import { PLACE_LENGTH } from '#domain/contact/message-details.ts';
import { hasMoment, isContactPhrase } from '#domain/contact/phrases.ts';
import type { ContactView } from '#domain/contact/second-contact.ts';
import { isTimeZone } from '#domain/contact/time-zones.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import type { TypedPhrase } from '#domain/contact/typed-phrase.ts';
import { timeOrderedId } from '#domain/ids.ts';
import { harmlessName } from '#domain/item/first-name.ts';
import { hashOfContactToken, isContactToken } from '#server/conversations/contact-links.ts';
import type { MessagePhotos } from '#server/conversations/message-photos.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { lacksMoment, readMoment, readPlace } from '../conversation/read-message-details.ts';
import type { FinderDocuments } from '../finder/finder-documents.ts';
import { onlyOwnForms, refuseForm } from '../forms/own-forms.ts';
import { readForm } from '../forms/read-form.ts';

export interface SecondContactRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'database' | 'limits'>;
  readonly documents: Pick<FinderDocuments, 'secondContact'>;
  readonly photos: Pick<MessagePhotos, 'serve'>;
}

const LONGEST_REPLY = 250;

const messageIdSchema = v.pipe(v.string(), v.uuid());
/** Two different times and a time zone. */
const quietSchema = v.pipe(
  v.object({
    from: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
    to: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
    timeZone: v.pipe(v.string(), v.check(isTimeZone)),
  }),
  v.check(({ from, to }) => from !== to),
);

/** What one page shows beside what its link opens. */
interface Shown {
  readonly typed?: string;
  readonly problem?: string;
  readonly done?: string;
  /** The phrase that was sent and is not complete. */
  readonly phrase?: TypedPhrase;
}

/**
 * `/contact/{token}`: the pages of second contacts, who have no account. Opening one changes nothing. All are plain forms,
 * and the token in the address is all they need; it is in no referrer.
 */
export function secondContactRoutes({ dependencies, documents, photos }: SecondContactRoutesOptions): Hono<AppEnv> {
  const { config, database, limits } = dependencies;
  const routes = new Hono<AppEnv>({ strict: false });
  const ownFormsAlone = onlyOwnForms(config.publicUrl);

  /** Runs a function of the database that takes the hash of the token first. Returns its result. */
  async function call<Result>(name: string, parameters: string, c: Context<AppEnv>, values: readonly unknown[]) {
    const token = c.req.param('token') ?? '';
    if (!isContactToken(token)) return null;
    const { rows } = await database.asService<{ result: Result }>({
      name,
      text: `select internal.${name}(${parameters}) as result`,
      values: [hashOfContactToken(token), ...values],
    });
    return rows[0]?.result ?? null;
  }

  async function show(c: Context<AppEnv>, shown: Shown, status: 200 | 422 | 429): Promise<Response> {
    const found = await call<ContactView | null>('read_as_contact', '$1', c, []);
    if (found === null) return documents.secondContact(c, null, 404);
    const view = { ...found, owner_first_name: harmlessName(found.owner_first_name) };
    const path = `/contact/${c.req.param('token')}`;
    return documents.secondContact(c, { path, view, messageId: timeOrderedId(), ...shown }, status);
  }

  /** The contact is written to in the language of the page that they use. Opening it tells nothing: programs do that, too. */
  const noteLanguage = (c: Context<AppEnv>) =>
    call<boolean>('note_contact_language', '$1, $2', c, [visitorLanguage(c).tag]);

  /** Leads back to the page, so that reloading it sends nothing again. */
  function back(c: Context<AppEnv>, done = ''): Response {
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    return c.redirect(`/contact/${c.req.param('token')}${done}`, 303);
  }

  routes.get('/contact/:token', (c) => {
    const { saved, sent } = visitorLanguage(c).words.secondContact;
    const done = { quiet: saved, reply: sent }[c.req.query('done') ?? ''];
    return show(c, done === undefined ? {} : { done }, 200);
  });

  routes.get('/contact/:token/photo/:message', async (c) => {
    const messageId = v.safeParse(messageIdSchema, c.req.param('message'));
    const view = await call<ContactView | null>('read_as_contact', '$1', c, []);
    const conversationId = view?.conversation?.id;
    const photo =
      messageId.success && conversationId !== undefined
        ? await photos.serve(
            { conversationId, messageId: messageId.output },
            { request: c.req.raw, small: c.req.query('small') !== undefined },
          )
        : null;
    return photo ?? c.text(visitorLanguage(c).texts.notFound.title, 404, { 'Cache-Control': 'no-store' });
  });

  routes.post('/contact/:token/agree', ownFormsAlone, async (c) => {
    await call<boolean>('agree_as_contact', '$1', c, []);
    await noteLanguage(c);
    return back(c);
  });

  routes.post('/contact/:token/leave', ownFormsAlone, async (c) => {
    await call<boolean>('leave_as_contact', '$1', c, []);
    return back(c);
  });

  routes.post('/contact/:token/quiet', ownFormsAlone, async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const [from, to, timeZone] = ['from', 'to', 'time_zone'].map((name) => form.fields.get(name) ?? '');
    const hours = v.safeParse(quietSchema, { from, to, timeZone });
    const isNone = from === '' && to === '';
    if (!hours.success && !isNone) {
      return show(c, { problem: visitorLanguage(c).words.secondContact.quietProblem }, 422);
    }
    const values = hours.success ? [hours.output.from, hours.output.to, hours.output.timeZone] : [null, null, null];
    try {
      await call<boolean>('set_contact_quiet_hours', '$1, $2, $3, $4', c, values);
    } catch (error) {
      // A time zone that PostgreSQL does not know.
      if (asPostgresError(error)?.code !== '22023') throw error;
      return show(c, { problem: visitorLanguage(c).words.secondContact.zoneProblem }, 422);
    }
    await noteLanguage(c);
    return back(c, '?done=quiet');
  });

  routes.post('/contact/:token/reply', ownFormsAlone, async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const texts = visitorLanguage(c).words.secondContact;
    const typed = form.fields.get('body') ?? '';
    const body = trimMessage(typed);
    const messageId = v.safeParse(messageIdSchema, form.fields.get('message_id') ?? timeOrderedId());
    if (!messageId.success) return refuseForm(c, 400);
    const said = form.fields.get('kind');
    if (said !== null && !isContactPhrase(said)) return refuseForm(c, 400);
    const kind = said ?? 'text';
    if ((body === '' && kind === 'text') || countCharacters(body) > LONGEST_REPLY) {
      return show(c, { typed, problem: texts.replyProblem(LONGEST_REPLY) }, 422);
    }
    const place = kind === 'can_come' || kind === 'please_leave' ? readPlace(form.fields) : null;
    const { moment, time_zone } = hasMoment(kind) ? readMoment(form.fields) : { moment: null, time_zone: null };
    const {
      tag,
      texts: { phrases, taps },
    } = visitorLanguage(c);
    const wrong = lacksMoment(form.fields, { kind, moment, place, location: null })
      ? phrases.incomplete
      : (countCharacters(place ?? '') > PLACE_LENGTH && taps.placeTooLong(PLACE_LENGTH)) ||
        (kind === 'please_leave' && place === null && phrases.fields.where);
    if (wrong) return show(c, { phrase: { kind, place: place ?? '', problem: wrong } }, 422);
    // A token of no conversation creates no counter.
    const view = await call<ContactView | null>('read_as_contact', '$1', c, []);
    if (view?.conversation?.is_open !== true) return show(c, { typed }, 422);
    const counter = ['messages_per_conversation', c.req.param('token') ?? ''] as const;
    const verdict = await limits.take(...counter);
    if (!verdict.allowed) {
      c.header('Retry-After', String(verdict.retryAfterSeconds));
      return show(c, { typed, problem: texts.tooMany }, 429);
    }
    const isThere = await call<boolean>('reply_as_contact', '$1, $2, $3, $4, $5, $6, $7, $8', c, [
      ...[body, messageId.output, kind, place, moment, time_zone, tag],
    ]);
    if (isThere === true) {
      await noteLanguage(c);
      return back(c, '?done=reply');
    }
    await limits.giveBack(...counter);
    // The conversation was closed meanwhile, which the page says by itself, or the same form had sent another text.
    return show(c, { typed, problem: texts.sentBefore }, 422);
  });

  return routes;
}

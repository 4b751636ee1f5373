import { type Context, Hono } from 'hono';
import type { FinderAddresses } from '#server/conversations/finder-addresses.ts';
import { readEmailAddress } from '#server/delivery/email/email-address.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { visitorLanguage } from '#server/languages/visitor-language.ts';
import { takeAll } from '#server/limits/rate-limits.ts';
import type { FinderKeys } from '../conversation/finder-key.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import { onlyOwnForms, refuseForm } from '../forms/own-forms.ts';
import { readForm } from '../forms/read-form.ts';
import type { FinderDocuments } from './finder-documents.ts';
import type { FoundEntry } from './item-cache.ts';

export interface FinderEmailRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'limits'>;
  readonly addresses: FinderAddresses;
  readonly keys: FinderKeys;
  readonly documents: Pick<FinderDocuments, 'replyEmail'>;
  readonly openConversation: OpenConversation;
  /** Returns the item with the code in the path, or the response that says why there is none. */
  readonly foundOr: (c: Context<AppEnv>, code: string) => Promise<FoundEntry | Response>;
}

/** What is shown again of a text that was typed; more is no address. */
const MOST_CHARACTERS = 300;

/** `/item/{code}/email`: where a finder who has written leaves an email address, and removes it. Plain forms. */
export function finderEmailRoutes(options: FinderEmailRoutesOptions): Hono<AppEnv> {
  const { dependencies, addresses, keys, documents, openConversation, foundOr } = options;
  const { config, limits } = dependencies;
  const routes = new Hono<AppEnv>({ strict: false });
  const ownFormsAlone = onlyOwnForms(config.publicUrl);
  routes.use('/:code/email', (c, next) => (['GET', 'HEAD'].includes(c.req.method) ? next() : ownFormsAlone(c, next)));
  routes.use('/:code/email/remove', ownFormsAlone);

  /** Returns the browser's conversation about the item, or the response that leads to the item's page: also without a mail server. */
  async function conversationOr(c: Context<AppEnv>) {
    const entry = await foundOr(c, c.req.param('code') ?? '');
    if (entry instanceof Response) return entry;
    if (!config.hasMail) return leadTo(c, `/item/${entry.code}`);
    const opened = await openConversation(entry.code, keys.kept(c.req.header('cookie')));
    return opened === null ? leadTo(c, `/item/${entry.code}`) : { entry, conversationId: opened.conversationId };
  }

  routes.get('/:code/email', async (c) => {
    const found = await conversationOr(c);
    if (found instanceof Response) return found;
    const state = await addresses.stateOf(found.conversationId);
    return documents.replyEmail(c, found.entry, { state, removed: c.req.query('removed') === '1' }, 200);
  });

  routes.post('/:code/email', async (c) => {
    const form = await readForm(c);
    if ('status' in form) return refuseForm(c, form.status);
    const found = await conversationOr(c);
    if (found instanceof Response) return found;
    const { entry, conversationId } = found;
    const typed = (form.fields.get('email') ?? '').slice(0, MOST_CHARACTERS);
    const language = visitorLanguage(c);
    const refuse = async (problem: string, status: 422 | 429) => {
      const state = await addresses.stateOf(conversationId);
      return documents.replyEmail(c, entry, { state, typed, problem }, status);
    };

    const { address, problem } = readEmailAddress(typed, config.emailDomainDenylist);
    const texts = language.words.finderEmail;
    if (problem !== null) return refuse(problem === 'denied' ? texts.denied : texts.invalid, 422);
    const { retryAfterSeconds, giveBack } = await takeAll(limits, [
      ['finder_emails_per_address', c.get('clientAddress')],
      ['finder_emails_per_conversation', conversationId],
    ]);
    if (retryAfterSeconds !== null) {
      c.header('Retry-After', String(retryAfterSeconds));
      return refuse(language.texts.finder.tooManyOpenings, 429);
    }
    try {
      await addresses.leave({ conversationId, address, code: entry.code, language: language.tag });
    } catch (error) {
      await giveBack();
      throw error;
    }
    // Where the conversation was deleted meanwhile, this leads on to the item's page.
    return leadTo(c, `/item/${entry.code}/email`);
  });

  routes.post('/:code/email/remove', async (c) => {
    const found = await conversationOr(c);
    if (found instanceof Response) return found;
    await addresses.removeFrom(found.conversationId);
    return leadTo(c, `/item/${found.entry.code}/email?removed=1`);
  });

  return routes;
}

function leadTo(c: Context<AppEnv>, path: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(path, 303);
}

import { type Context, Hono } from 'hono';
import type { FinderAddresses } from '#server/conversations/finder-addresses.ts';
import type { FinderLinks } from '#server/conversations/finder-links.ts';
import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import { stopEmailsTo } from '#server/delivery/email/stopped-recipients.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { onlyOwnForms } from '../forms/own-forms.ts';
import type { FinderDocuments } from './finder-documents.ts';

export interface FinderLinkRoutesOptions {
  readonly dependencies: Pick<Dependencies, 'config' | 'secrets' | 'database' | 'limits'>;
  readonly addresses: FinderAddresses;
  readonly links: FinderLinks;
  readonly returnCodes: Pick<ReturnCodes, 'passOf'>;
  readonly documents: Pick<FinderDocuments, 'finderLink'>;
}

/**
 * `/replies/{purpose}/{token}`: where links in emails to finders lead. Programs that scan emails open every link, so
 * opening one proves and removes nothing: that takes a press of a button.
 */
export function finderLinkRoutes(options: FinderLinkRoutesOptions): Hono<AppEnv> {
  const { dependencies, addresses, links, returnCodes, documents } = options;
  const { config, limits } = dependencies;
  const routes = new Hono<AppEnv>({ strict: false });

  const dead = (c: Context<AppEnv>) => documents.finderLink(c, 'dead', 404);

  routes.get('/confirm/:token', async (c) => {
    const id = links.addressOf('confirm', c.req.param('token'));
    const address = id === null ? null : await addresses.find(id);
    if (address === null) return dead(c);
    return documents.finderLink(c, address.is_proved ? 'confirmed' : 'confirm', 200);
  });

  routes.use('/confirm/:token', onlyOwnForms(config.publicUrl));
  routes.post('/confirm/:token', async (c) => {
    const id = links.addressOf('confirm', c.req.param('token'));
    if (id === null) return dead(c);
    const proved = await addresses.prove(id);
    // The email was welcome, so it does not count.
    if (proved !== null) await limits.giveBack('messages_to_unproved_recipient', proved);
    return seeOther(c, c.req.path);
  });

  // Leads to the private link, which leaves the address bar, and which waits for a button where another site opened it.
  routes.get('/open/:token', async (c) => {
    const id = links.addressOf('open', c.req.param('token'));
    const address = id === null ? null : await addresses.find(id);
    if (!address?.is_proved) return dead(c);
    const { conversation_id: conversationId, own_code: code, qr_id } = address;
    const { finderKey } = await returnCodes.passOf({ conversationId, code }, null);
    c.header('Referrer-Policy', 'no-referrer');
    return seeOther(c, `/item/${qr_id}/back/${finderKey}`);
  });

  routes.get('/stop/:token', async (c) => {
    const id = links.addressOf('stop', c.req.param('token'));
    if (id === null) return dead(c);
    return documents.finderLink(c, (await addresses.find(id)) === null ? 'stopped' : 'stop', 200);
  });

  // Mail services post here as well, for a button of their own (RFC 8058). They send no cookies, and follow no redirect.
  routes.post('/stop/:token', async (c) => {
    const id = links.addressOf('stop', c.req.param('token'));
    if (id === null) return dead(c);
    // Its reader never asked for it, so nothing else of others reaches it either.
    const unproved = await addresses.remove(id);
    if (unproved !== null) await stopEmailsTo(dependencies, unproved);
    return documents.finderLink(c, 'stopped', 200);
  });

  return routes;
}

function seeOther(c: Context<AppEnv>, path: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(path, 303);
}

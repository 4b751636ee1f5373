import { expect, test } from 'vitest';
import { notifyOwnerOfMessage } from '#server/jobs/owner/notify-owner-of-message.ts';
import { sendOfferMail } from '#server/jobs/owner/send-offer-mail.ts';
import { notifyOfUnseen } from '#server/jobs/owner/unseen/notify-of-unseen.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

const database = await createTestDatabase();
const caught = catchDelivery();
const needs = dependenciesForJobs(database.address, caught);
whenDone(() => needs.database.close());

async function offered(fullName = 'Dana Levi') {
  const [giver, receiver] = [await createOwner(database, { fullName }), await createOwner(database)];
  const item = await createItem(database, giver, { itemName: 'Blue suitcase' });
  const [offer] = await database.query<{ id: string }>(
    'insert into public.item_offers (giver_id, item_id, email) values ($1, $2, $3) returning id',
    [giver.id, item.id, receiver.email],
  );
  return { giver, receiver, item, offer: offer?.id ?? '' };
}

const accept = (offer: string) =>
  database.query('update public.item_offers set accepted_at = now() where id = $1', [offer]);
const mailsTo = ({ email }: { readonly email: string }) => caught.emails.filter(({ to }) => to === email);

test('a message that came before the acceptance is mailed to the giver, with a link to what they gave away', async () => {
  const { giver, receiver, item } = await offered();
  const messageId = await sendMessage(database, item, 'To Dana');
  const [message] = await database.query<{ conversation_id: string }>(
    "update public.messages set created_at = now() - interval '2 days' where id = $1 returning conversation_id",
    [messageId],
  );
  await database.query('select internal.move_item($1, $2)', [item.id, receiver.id]);
  await notifyOwnerOfMessage(needs, messageId);
  expect(mailsTo(giver)).toMatchObject([{ subject: 'Someone found “Blue suitcase”' }]);
  expect(mailsTo(giver)[0]?.text).toContain(`https://lost.example.org/given/${item.id}\n`);

  // It could not be replied to, so nothing reminds of it.
  await notifyOfUnseen(needs, { step: 'reminder', conversation_id: message?.conversation_id ?? '' });
  expect(mailsTo(giver)).toHaveLength(1);
  expect(mailsTo(receiver)).toEqual([]);
});

test.each([
  ['Dana Levi', 'Dana wants to give you an item'],
  ['דנה לוי', 'דנה wants to give you an item'],
  ['https://example.net/prize', 'Someone wants to give you an item'],
  ['+15550100', 'Someone wants to give you an item'],
  ['', 'Someone wants to give you an item'],
])('an offer by %j is mailed as “%s”', async (fullName, heading) => {
  const { receiver, offer } = await offered(fullName);
  await sendOfferMail(needs, { offer_id: offer, about: 'offer' });
  const [mail, ...others] = mailsTo(receiver);
  expect(others).toEqual([]);
  expect(mail?.text.split('\n')[0]).toBe(heading);
  // What proves the address is behind the mark, which a mail scanner does not send.
  expect(mail?.text).toMatch(
    new RegExp(`https://lost\\.example\\.org/offer/${offer}#token_hash=${offer}\\.[\\w-]{43}\n`),
  );
});

test('nothing is mailed about an offer that is over, or to a giver without a proved address', async () => {
  const { giver, receiver, offer } = await offered();
  await sendOfferMail(needs, { offer_id: offer, about: 'acceptance' });
  await database.query('update public.item_offers set declined_at = now() where id = $1', [offer]);
  await sendOfferMail(needs, { offer_id: offer, about: 'offer' });
  await database.query('update public.item_offers set declined_at = null where id = $1', [offer]);
  await accept(offer);
  await sendOfferMail(needs, { offer_id: offer, about: 'offer' });
  await database.query(
    'update auth.users set claimed_email = email, email = null, email_confirmed_at = null where id = $1',
    [giver.id],
  );
  await sendOfferMail(needs, { offer_id: offer, about: 'acceptance' });
  await sendOfferMail(needs, { offer_id: crypto.randomUUID(), about: 'offer' });
  expect([...mailsTo(giver), ...mailsTo(receiver)]).toEqual([]);
});

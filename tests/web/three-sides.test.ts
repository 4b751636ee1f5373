import { expect, test } from 'vitest';
import { publicPushKey } from '#server/delivery/push/push-key.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createNoticeAddress } from '#tests/support/factories/create-notice-address.ts';
import { createPushSubscription } from '#tests/support/factories/create-push-subscription.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { startNoticeReceiver } from '#tests/support/notice-receiver.ts';
import { startPushService } from '#tests/support/push-service.ts';
import { sendFinderEmails } from '#tests/support/reply-notices.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';
import { postForm } from './support/post-form.ts';

const database = await createTestDatabase();
const pushService = await startPushService();
const receiver = await startNoticeReceiver();
const server = await startTestServer(database, {
  outbound: pushService.outbound,
});
const pushKey = publicPushKey(server.secrets.pushKey ?? expect.unreachable());

/** Everything that one side has received, as one text. */
class Received {
  text = '';

  add(...parts: readonly unknown[]): void {
    for (const part of parts) this.text += `${typeof part === 'string' ? part : JSON.stringify(part)}\n`;
  }

  async addResponse(response: Response): Promise<string> {
    const body = await response.text();
    this.add(response.status, [...response.headers], body);
    return body;
  }

  addEmails(address: string): void {
    this.add(...server.delivery.emails.filter(({ to }) => to === address));
  }
}

const pathIn = ({ text }: { readonly text: string }, pattern: RegExp) =>
  pattern.exec(text)?.[0] ?? expect.unreachable();

test('owner, finder, and second contact learn of each other what they chose to say, and nothing more', async () => {
  const [toOwner, toFinder, toContact, toHook] = [new Received(), new Received(), new Received(), new Received()];

  const owner = await registerOwner(server, { data: { full_name: 'Dana Ownercanary' } });
  const ownerId = owner.user.id;
  const item = await createItem(database, owner.user, {
    itemName: 'Blue backpack',
    description: 'description-ownercanary',
    noteToFinders: 'Ring twice',
    reward: 'A cake',
  });
  const other = await createItem(database, owner.user, { itemName: 'Another-ownercanary' });
  await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
  const hooks = { webhook: `${receiver.https}/hook-ownercanary`, ntfy: `${receiver.https}/ntfy-ownercanary` };
  await createNoticeAddress(database, owner.user, { kind: 'webhook', url: hooks.webhook });
  await createNoticeAddress(database, owner.user, { kind: 'ntfy', url: hooks.ntfy, token: 'tk-ownercanary' });
  const browser = pushService.subscribe(pushKey);
  await createPushSubscription(database, owner.user, browser, pushKey);

  const friend = `contactcanary-${crypto.randomUUID()}@example.com`;
  const invited = await owner.client.rpc('invite_second_contact', { email_param: friend, phone_param: null });
  expect(invited.error).toBeNull();
  const ownPage = pathIn(await server.delivery.takeEmailTo(friend), /\/contact\/[\w%-]{22,24}/);
  expect((await postForm(server, `${ownPage}/agree`, {})).status).toBe(303);

  // The finder writes, and leaves an address.
  const finderEmail = `findercanary-${crypto.randomUUID()}@example.net`;
  const page = `/item/${item.qrId}`;
  await toFinder.addResponse(await server.request(page));
  const posted = await postForm(server, `${page}/message`, { body: 'Words of the finder' });
  const Cookie = posted.headers.get('set-cookie')?.split(';')[0] ?? '';
  const finderKey = Cookie.split('=')[1] ?? '';
  const asFinder = async (path: string) => toFinder.addResponse(await server.request(path, { headers: { Cookie } }));
  const { return_code: returnCode, return_path: returnPath } = JSON.parse(await asFinder(`${page}/conversation`));
  expect((await postForm(server, `${page}/email`, { email: finderEmail }, { headers: { Cookie } })).status).toBe(303);
  await sendFinderEmails(database);
  const confirm = pathIn(await server.delivery.takeEmailTo(finderEmail), /\/replies\/confirm\/\S+/);
  expect((await postForm(server, confirm, {})).status).toBe(303);
  await expect.poll(() => receiver.arrivedAt('/hook-ownercanary')).toHaveLength(1);
  await expect.poll(() => receiver.arrivedAt('/ntfy-ownercanary')).toHaveLength(1);
  await expect.poll(() => browser.arrived).toHaveLength(1);

  // After an hour the contact hears of it, and replies; so does the owner.
  await letTimePass(database, item, '61 minutes');
  const thread = pathIn(await server.delivery.takeEmailTo(friend), /\/contact\/[\w%-]{22,24}/);
  const form = await toContact.addResponse(await server.request(thread));
  const messageId = /name="message_id" value="([^"]+)"/.exec(form)?.[1] ?? '';
  await postForm(server, `${thread}/reply`, { body: 'Words of the contact', message_id: messageId });
  const { data: conversations } = await owner.client.from('conversations').select('id');
  const conversation = conversations?.[0]?.id;
  const reply = { conversation_id_param: conversation, body_param: 'Words of the owner' };
  expect((await owner.client.rpc('send_reply', { message_id_param: crypto.randomUUID(), ...reply })).error).toBeNull();
  await sendFinderEmails(database);

  for (const path of [page, `${page}/conversation`, `/${item.qrId}`]) await asFinder(path);
  const visitor = server.client();
  for (const [name, params] of [
    ['find_item', { qr_id_param: item.qrId }],
    ['get_qr_code_owner', { qr_id_param: item.qrId }],
    ['read_conversation', { qr_id_param: item.qrId, finder_key_param: finderKey }],
  ] as const) {
    toFinder.add(await visitor.rpc(name, params));
  }
  toFinder.addEmails(finderEmail);
  for (const path of [ownPage, thread]) await toContact.addResponse(await server.request(path));
  toContact.addEmails(friend);
  const tables = await database.query<{ name: string; columns: string }>(
    `select relname as name, string_agg(attname, ',') as columns
       from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
         and has_column_privilege('authenticated', pg_class.oid, attnum, 'select')
       group by relname`,
  );
  for (const { name, columns } of tables) {
    const { data, error } = await owner.client.from(name).select(columns);
    expect(error, name).toBeNull();
    toOwner.add(name, data);
  }
  toOwner.add((await owner.client.rpc('export_my_data')).data);
  toOwner.addEmails(owner.email);
  toHook.add(receiver.arrivedAt('/hook-ownercanary'));
  const toDevices = [...receiver.arrivedAt('/ntfy-ownercanary').map(({ body }) => body), browser.arrived[0]?.payload];

  // Each side has what it is for: what follows is not true of nothing.
  for (const words of ['Words of the contact', 'Words of the owner', 'Dana']) expect(toFinder.text).toContain(words);
  for (const words of ['Words of the finder', 'Blue backpack', 'Dana']) expect(toContact.text).toContain(words);
  for (const words of ['Words of the finder', 'Words of the contact', friend]) expect(toOwner.text).toContain(words);
  expect(toHook.text).toContain(item.qrId);
  expect(toDevices).toHaveLength(2);
  expect(JSON.stringify(toDevices)).toContain('Blue backpack');

  const codes = [returnCode, returnCode.replace(' ', ''), String(returnPath).split('/').at(-1)];
  const ofOwner = [owner.email, owner.phone.slice(1), ownerId, other.qrId, item.id, 'ownercanary', 'Ownercanary'];
  const ofFinder = [finderEmail, 'findercanary', finderKey, confirm];
  const ofContact = [friend, 'contactcanary', ownPage, thread];
  const links = [ownPage, thread];
  const crossed = (received: Received | string, secrets: readonly string[]) =>
    secrets.filter((secret) => (typeof received === 'string' ? received : received.text).includes(secret));
  expect(crossed(toFinder, [...ofOwner, ...ofContact])).toEqual([]);
  expect(crossed(toContact, [...ofOwner, ...ofFinder, ...codes, item.qrId])).toEqual([]);
  expect(crossed(toOwner, [...ofFinder, ...links])).toEqual([]);
  const words = ['Words of the finder', 'Ring twice', 'Blue backpack', owner.email, 'Ownercanary'];
  expect(crossed(toHook, [...ofFinder, ...ofContact, ...codes, ...words])).toEqual([]);
  expect(
    crossed(JSON.stringify(toDevices), [
      ...ofFinder,
      ...ofContact,
      ...codes,
      ...words.filter((word) => word !== 'Blue backpack'),
    ]),
  ).toEqual([]);
});

import { setTimeout as pause } from 'node:timers/promises';
import type { Session, SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { aPhone } from '#tests/support/factories/contact-details.ts';
import { queryDatabase } from '#tests/support/query-database.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { reachSecondContact } from './contact-thread.ts';
import { drawPhoto } from './draw-photo.ts';
import { operatorClient, protocolClients, registerPerson } from './register-person.ts';

/** Dana and her things, as the pictures and the checks of every screen show them. */
export interface Story {
  readonly session: Session;
  /** An account without items. */
  readonly newcomer: Session;
  /** An account signed in with a password and a second factor. It is an operator. */
  readonly careful: Session;
  /** The same person elsewhere, with the second step still to be made. */
  readonly halfway: Session;
  readonly email: string;
  readonly password: string;
  readonly codes: Readonly<Record<'keys' | 'backpack' | 'wallet' | 'umbrella', string>>;
  /** Another sticker on the backpack. */
  readonly further: string;
  /** An account with an item, whose emails about messages have stopped because its address is unconfirmed. */
  readonly unconfirmed: Session;
  /** The code of an item whose owner has neither a phone number nor an email address. */
  readonly withoutDetails: string;
  /** Codes of the unconfirmed account that an operator has voided. */
  readonly voidCodes: Readonly<Record<'withItem' | 'withoutItem', string>>;
  /** An item of the careful user: without a name of its own, and with messages only. */
  readonly unnamed: string;
  /** An account with a proved address: it gave an item away, offers another, and is offered a third. */
  readonly giver: Session;
  /** The offer that it may accept, the item that it offers, and the one that it gave away. */
  readonly transfers: Readonly<Record<'offer' | 'offeredCode' | 'given', string>>;
  /** The key in the browser of the umbrella's finder, which makes its conversation theirs. */
  readonly finderKey: string;
  /** Dana replies to the latest conversation about the item with this code. */
  replyToLast(code: string, body: string): Promise<void>;
  /** Dana has the item with this code back from the finder who wrote last. */
  takeBackFromLast(code: string): Promise<void>;
  /** Dana names a second contact in place of earlier ones. Returns the path of the contact's page. */
  inviteContact(): Promise<string>;
  /** The second contact of another owner is notified of a message. Returns the path of the contact's page of that conversation. */
  reachContact(): Promise<string>;
  /** The owner reads the latest message about the item. */
  seeLast(code: string): Promise<void>;
  /** From now on no message is stored, until the returned function is called. */
  holdMessages(): Promise<() => Promise<void>>;
}

const PASSWORD = 'three keys on a ribbon';

const FINDER_KEY = 'the-key-of-who-found-the-umbrella';

const FURTHER = 'tgt-A-story-of-the-other-side';

const UNNAMED = 'tgt-A-story-of-something';

const WITHOUT_DETAILS = 'tgt-A-story-of-no-details';

const VOID_CODES = { withItem: 'tgt-A-story-of-a-void-code', withoutItem: 'tgt-A-story-of-a-void-sticker' } as const;

const THINGS = [
  ['umbrella', 'Yellow umbrella', 'Wooden handle, from the market in Jaffa'],
  ['wallet', 'Brown wallet', 'Worn leather, a bus card inside'],
  ['backpack', 'School backpack', 'Blue, with a rocket on it'],
  ['keys', 'House keys', 'Three keys on a red ribbon'],
] as const;

/** Creates the story's accounts, items and messages on a new development server, through its own protocol. */
export async function seedStory(service: ServiceProcess): Promise<Story> {
  const newClient = await protocolClients(service);
  const email = 'dana@example.com';
  const client = newClient();
  const dana = { email, password: PASSWORD, fullName: 'Dana Levi', phone: '+972501234567' };
  const noam = { email: 'noam@example.com', password: PASSWORD, fullName: 'Noam Katz', phone: '+972521234567' };
  const session = await registerPerson(client, dana);
  const newcomer = await registerPerson(newClient(), noam);
  const careful = await registerCarefully(newClient());
  const { data: elsewhere, error: refusal } = await newClient().auth.signInWithPassword(CAREFUL);
  if (refusal !== null) throw refusal;

  const codes = { keys: '', backpack: '', wallet: '', umbrella: '' };
  for (const [type, name, description] of THINGS) {
    const code = `tgt-A-story-of-the-${type}`;
    codes[type] = code;
    const row = { qr_id: code, user_id: session.user.id, item_type: type, item_name: name, description };
    must(await client.from('items').insert(row));
    must(await client.rpc('note_scan', { qr_id_param: code }));
  }
  const { data: backpack } = await client
    .from('items')
    .select('id')
    .eq('qr_id', codes.backpack)
    .single()
    .throwOnError();
  must(await client.rpc('attach_qr_code', { qr_id_param: FURTHER, item_id_param: backpack.id }));
  // Too long ago to be undone.
  const lostAt = new Date(Date.now() - 3_600_000).toISOString();
  const lost = { lost_at: lostAt, note_to_finders: 'Lost on bus 18.', reward: 'A homemade cake' };
  must(await client.from('items').update(lost).eq('qr_id', codes.backpack));
  const closed = { whatsapp_enabled: false, call_enabled: false, email_enabled: false, message_enabled: false };
  must(await client.from('items').update(closed).eq('qr_id', codes.wallet));
  for (const body of ['I found your keys at the café on the corner.', 'They’re safe behind the counter.']) {
    must(
      await newClient().rpc('send_message', {
        qr_id_param: codes.keys,
        body_param: body,
        finder_key_param: 'the-key-of-one-finder-in-the-story',
      }),
    );
  }
  await writeAboutTheUmbrella(client, newClient(), codes.umbrella);
  const operator = await operatorClient(service);
  must(await operator.rpc('add_operator', { user_id_param: careful.user.id }));
  const unconfirmed = await registerAndWriteOften(newClient());
  await tagWithVoidCodes(operator, unconfirmed.user.id);
  await tagWithoutDetails(operator);
  const { giver, transfers } = await giveThings(operator, newClient);
  return {
    session,
    newcomer,
    careful,
    halfway: elsewhere.session,
    email,
    password: PASSWORD,
    codes,
    further: FURTHER,
    unnamed: UNNAMED,
    unconfirmed,
    withoutDetails: WITHOUT_DETAILS,
    voidCodes: VOID_CODES,
    giver,
    transfers,
    finderKey: FINDER_KEY,
    replyToLast: (code, body) => replyToLast(client, code, body),
    takeBackFromLast: (code) => takeBackFromLast(client, code),
    inviteContact: () => inviteContact(client, service.url),
    reachContact: () => reachContact(service, newClient()),
    seeLast: (code) => seeLast(client, operator, code),
    holdMessages: () => holdMessages(service),
  };
}

async function replyToLast(owner: SupabaseClient, code: string, body: string): Promise<void> {
  const { conversation_id } = await lastMessage(owner, code);
  must(await owner.rpc('send_reply', { conversation_id_param: conversation_id, body_param: body }));
}

async function takeBackFromLast(owner: SupabaseClient, code: string): Promise<void> {
  const { conversation_id, item_id } = await lastMessage(owner, code);
  must(await owner.rpc('take_back_item', { item_id_param: item_id, conversation_id_param: conversation_id }));
}

async function inviteContact(owner: SupabaseClient, url: string): Promise<string> {
  must(await owner.from('second_contacts').delete().is('left_at', null));
  const email = `friend-${crypto.randomUUID()}@example.com`;
  must(await owner.rpc('invite_second_contact', { email_param: email, phone_param: null }));
  for (;;) {
    const outbox = await fetch(`${url}/dev/outbox.json`);
    // As the outbox serves it.
    const messages = (await outbox.json()) as { recipient: string; body: string }[];
    const path = messages.flatMap(({ recipient, body }) =>
      recipient === email ? (/\/contact\/[\w%-]{22,24}/.exec(body) ?? []) : [],
    )[0];
    if (path !== undefined) return path;
    await pause(100);
  }
}

/** Of an account of its own, so that no other screen changes. */
async function reachContact(service: ServiceProcess, client: SupabaseClient): Promise<string> {
  const code = `tgt-A-story-of-${crypto.randomUUID()}`;
  const email = `${crypto.randomUUID()}@example.com`;
  await registerPerson(client, { email, password: PASSWORD, fullName: 'Maya Tal', phone: aPhone(), qrId: code });
  must(await client.from('items').update({ item_name: 'Blue backpack' }).eq('qr_id', code));
  const finderKey = `key-of-a-finder-${crypto.randomUUID()}`;
  return reachSecondContact(service, { client, code, finderKey, body: 'I found it on bus 18. Where can I bring it?' });
}

/** A finder learns at a full hour that a message was seen, so it was written and seen three hours ago. */
async function seeLast(owner: SupabaseClient, operator: SupabaseClient, code: string): Promise<void> {
  const { id } = await lastMessage(owner, code);
  const { data: message, error } = await operator.from('messages').delete().eq('id', id).select().single();
  if (error !== null) throw error;
  const earlier = new Date(Date.now() - 3 * 3_600_000).toISOString();
  must(await operator.from('messages').insert({ ...message, created_at: earlier, read_at: earlier }));
}

/** As in a database that takes too long. */
async function holdMessages(service: ServiceProcess): Promise<() => Promise<void>> {
  const held = queryDatabase(
    service,
    'begin; lock table public.messages in exclusive mode; select pg_sleep(60); commit',
  ).catch(() => {});
  const holders = `select pid from pg_locks
    where relation = 'public.messages'::regclass and mode = 'ExclusiveLock' and granted`;
  while ((await queryDatabase(service, holders)).length === 0) await pause(50);
  return async () => {
    await queryDatabase(service, `select pg_cancel_backend(pid) from (${holders}) as holder`);
    await held;
  };
}

async function lastMessage(owner: SupabaseClient, code: string) {
  const { data, error } = await owner
    .from('messages')
    .select('id, conversation_id, item_id, items!inner()')
    .eq('items.qr_id', code)
    .order('created_at', { ascending: false })
    .limit(1)
    .single();
  if (error !== null) throw error;
  return data;
}

const CAREFUL = { email: 'maya@example.com', password: PASSWORD };

/** An account without items that has enabled an authenticator app. */
async function registerCarefully(client: SupabaseClient): Promise<Session> {
  await registerPerson(client, { ...CAREFUL, fullName: 'Maya Tal', phone: '+972541234567', qrId: UNNAMED });
  const alone = { whatsapp_enabled: false, call_enabled: false, email_enabled: false };
  must(await client.from('items').update(alone).eq('qr_id', UNNAMED));
  const { data: factor, error: refusal } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (refusal !== null) throw refusal;
  const code = new TOTP({ secret: factor.totp.secret }).generate();
  must(await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code }));
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error('There is no session.');
  return data.session;
}

/** One more message than an unconfirmed address gets emails about. */
async function registerAndWriteOften(client: SupabaseClient): Promise<Session> {
  const code = 'tgt-A-story-of-much-news';
  const tamar = { email: 'tamar@example.com', fullName: 'Tamar Gal', phone: '+972551234567' };
  const session = await registerPerson(client, { ...tamar, password: PASSWORD, qrId: code });
  for (const place of ['ticket office', 'café', 'bus stop', 'library']) {
    must(await client.rpc('send_message', { qr_id_param: code, body_param: `I saw it at the ${place}.` }));
  }
  return session;
}

/** Neither a phone number nor an email address on the profile, as after an operator has removed them. */
async function tagWithoutDetails(operator: SupabaseClient): Promise<void> {
  const yael = { email: 'yael@example.com', email_confirm: true, user_metadata: { full_name: 'Yael Bar' } };
  const { data, error } = await operator.auth.admin.createUser(yael);
  if (error !== null) throw error;
  must(await operator.from('profiles').update({ email: null }).eq('id', data.user.id));
  const item = { user_id: data.user.id, item_type: 'other', item_name: 'My Tagged Item' };
  must(await operator.from('items').insert({ qr_id: WITHOUT_DETAILS, ...item }));
}

/** An item whose code is void, and a void code that has none. */
async function tagWithVoidCodes(operator: SupabaseClient, owner: string): Promise<void> {
  const { withItem, withoutItem } = VOID_CODES;
  const item = { user_id: owner, item_type: 'bike', item_name: 'Red bicycle' };
  must(await operator.from('items').insert({ qr_id: withItem, ...item }));
  must(await operator.from('qr_codes').insert({ qr_id: withoutItem, owner_id: owner }));
  for (const code of Object.values(VOID_CODES)) {
    const order = { qr_id_param: code, reason_param: 'A box of these stickers was stolen.', claimed_too: true };
    must(await operator.rpc('void_code', order));
  }
}

/** Noa has given her scooter to Amit, offers him her tent, and is offered his suitcase. */
async function giveThings(
  operator: SupabaseClient,
  newClient: () => SupabaseClient,
): Promise<Pick<Story, 'giver' | 'transfers'>> {
  const prove = async (client: SupabaseClient, email: string, fullName: string, phone: string) => {
    const session = await registerPerson(client, { email, password: PASSWORD, fullName, phone });
    must(await operator.auth.admin.updateUserById(session.user.id, { email_confirm: true }));
    return session;
  };
  const [noa, amit] = [newClient(), newClient()];
  const giver = await prove(noa, 'noa@example.com', 'Noa Shani', '+972561234567');
  const receiver = await prove(amit, 'amit@example.com', 'Amit Peled', '+972571234567');
  const offer = async (
    client: SupabaseClient,
    owner: Session,
    thing: readonly [string, string, string],
    to: string,
  ) => {
    const [qr_id, item_type, item_name] = thing;
    const { data: item } = await client
      .from('items')
      .insert({ qr_id, user_id: owner.user.id, item_type, item_name })
      .select('id')
      .single()
      .throwOnError();
    const make = { item_id_param: item.id, email_param: to };
    const { data } = await client.rpc('offer_item', make).throwOnError();
    return { itemId: item.id, offerId: data.id };
  };
  const scooter = 'tgt-A-story-of-the-scooter';
  const given = await offer(noa, giver, [scooter, 'other', 'Green scooter'], 'amit@example.com');
  must(await newClient().rpc('send_message', { qr_id_param: scooter, body_param: 'It leans on the bus stop.' }));
  must(await amit.rpc('accept_offer', { offer_id_param: given.offerId }));
  const offeredCode = 'tgt-A-story-of-the-tent';
  await offer(noa, giver, [offeredCode, 'other', 'Camping tent'], 'amit@example.com');
  const toNoa = ['tgt-A-story-of-the-suitcase', 'suitcase', 'Blue suitcase'] as const;
  const received = await offer(amit, receiver, toNoa, 'noa@example.com');
  return { giver, transfers: { offer: received.offerId, offeredCode, given: given.itemId } };
}

/** It has a photo, and a conversation that has gone both ways. */
async function writeAboutTheUmbrella(owner: SupabaseClient, finder: SupabaseClient, code: string): Promise<void> {
  const photo = 'a-photo-in-the-story-of-an-umbrella.webp';
  must(await owner.storage.from('item-photos').upload(photo, await drawPhoto(), { contentType: 'image/webp' }));
  must(await owner.from('items').update({ photo }).eq('qr_id', code));

  const write = async (body: string, details: Readonly<Record<string, unknown>> = {}) =>
    must(
      await finder.rpc('send_message', {
        qr_id_param: code,
        body_param: body,
        finder_key_param: FINDER_KEY,
        ...details,
      }),
    );
  await write('Your umbrella stands in the waiting room of platform 2.');
  await replyToLast(owner, code, 'Thank you so much! I am on the train back. Could you leave it at the ticket office?');
  await write('It is under the name of Dana.', {
    kind_param: 'left_it',
    place_param: 'the ticket office',
    latitude_param: 32.0838,
    longitude_param: 34.7982,
  });
}

function must({ error }: { readonly error: Error | null }): void {
  if (error !== null) throw error;
}

import { createECDH } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { publicPushKey } from '#server/delivery/push/push-key.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { MEASURED_LABELS } from '#tests/support/factories/measured-labels.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { tablesWith } from '#tests/support/tables-with.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

/** Every table that keeps something of an account, and where its rows are in the file; or why they are in none. */
const PLACES: Readonly<Record<string, string | { readonly leftOut: string }>> = {
  'auth.authorization_codes': { leftOut: 'secrets that live for minutes' },
  'auth.code_failures': { leftOut: 'a count of wrong codes that others typed' },
  'auth.identities': 'identities',
  'auth.known_devices': 'known_devices',
  'auth.mfa_factors': 'second_factors',
  'auth.one_time_tokens': 'codes_sent',
  'auth.passkeys': 'passkeys',
  'auth.recovery_codes': 'recovery_codes',
  'auth.sessions': 'sessions',
  // What finders told the operator about the account's pages is left out: it was said in confidence.
  'internal.operators': 'operator',
  'internal.reports': 'reports_of_finders',
  'internal.unproved_notices': { leftOut: 'a count of emails; the messages that they were about are in the file' },
  'internal.blocked_keys': {
    leftOut: 'hashes of keys that are the finders’ own, of conversations that the owner deleted',
  },
  'public.channel_openings': 'channel_openings',
  'public.conversations': 'conversations',
  'public.item_offers': 'item_offers',
  'public.items': 'items',
  'public.measured_labels': 'measured_labels',
  'public.messages': 'messages',
  'public.notice_addresses': 'notice_addresses',
  'public.notice_settings': 'notice_settings',
  'public.profiles': 'profile',
  'public.push_subscriptions': 'push_subscriptions',
  'public.qr_codes': 'codes',
  'public.second_contacts': 'second_contacts',
  'public.test_notices': 'test_notices',
  'storage.objects': 'files',
};

interface Person extends RegisteredOwner {
  /** A word contained in everything that this person has entered. */
  readonly canary: string;
  readonly sticker: string;
  /** Another sticker on the item of the first. */
  readonly further: string;
  readonly ownCode: string;
}

/** An account that has used every feature. */
async function seedPerson(): Promise<Person> {
  const canary = `canary${crypto.randomUUID().replaceAll('-', '')}`;
  const owner = await registerOwner(server, {
    email: `${canary}@example.com`,
    password: `${canary} password`,
    data: { full_name: `${canary} Levi` },
  });
  const [sticker, further] = [await issueTagCode(database), await issueTagCode(database)];
  const [ownCode, spare] = [createTagCode(), createTagCode()];
  for (const code of [sticker, ownCode]) {
    must(
      await owner.client.from('items').insert({
        qr_id: code,
        user_id: owner.user.id,
        item_type: 'keys',
        item_name: `${canary} keys`,
        description: `${canary} description`,
      }),
    );
  }
  const { data: offered } = await owner.client.from('items').select('id').eq('qr_id', ownCode).single();
  must(
    await owner.client.rpc('offer_item', {
      item_id_param: offered?.id,
      email_param: `friend-of-${canary.slice(0, 30)}@example.com`,
    }),
  );
  must(await owner.client.rpc('register_qr_code', { qr_id_param: spare, user_id_param: owner.user.id }));
  const { data: item } = await owner.client.from('items').select('id').eq('qr_id', sticker).single();
  must(await owner.client.rpc('attach_qr_code', { qr_id_param: further, item_id_param: item?.id }));
  must(
    await server.client().rpc('send_message', {
      qr_id_param: sticker,
      body_param: `${canary} found`,
      finder_key_param: `key-of-the-finder-of-${canary.slice(0, 20)}`,
    }),
  );
  const { data: conversation } = await owner.client.from('conversations').select('id').single();
  must(
    await owner.client.rpc('report_finder', {
      conversation_id_param: conversation?.id,
      kind_param: 'other',
      body_param: `${canary} report`,
    }),
  );
  await database.query("select internal.report_page($1, 'abuse', 'said in confidence')", [sticker]);
  const keys = createECDH('prime256v1');
  must(
    await owner.client.rpc('save_push_subscription', {
      endpoint_param: `https://push.example.com/${canary}`,
      p256dh_param: keys.generateKeys('base64url'),
      auth_param: `${canary.slice(0, 22)}`,
      server_key_param: publicPushKey(server.secrets.pushKey ?? ''),
    }),
  );
  must(
    await owner.client.rpc('add_notice_address', {
      kind_param: 'ntfy',
      name_param: `${canary}`,
      url_param: `https://ntfy.example.com/${canary}`,
      token_param: 'tk_of_nobody',
    }),
  );
  must(await owner.client.from('measured_labels').insert({ ...MEASURED_LABELS, name: canary }));
  must(
    await owner.client
      .from('notice_settings')
      .upsert({ user_id: owner.user.id, quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Asia/Jerusalem' }),
  );
  await database.query("insert into public.test_notices (user_id, way) values ($1, 'email')", [owner.user.id]);
  must(
    await owner.client.rpc('invite_second_contact', { email_param: `friend-${canary}@example.com`, phone_param: null }),
  );
  const opened = await server.request(`/item/${sticker}/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'channel=call',
  });
  expect(opened.status).toBe(303);
  // One of the jobs sends the mail that asks whether the address is theirs, and records it.
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  return { ...owner, canary, sticker, further, ownCode };
}

function must({ error }: { readonly error: unknown }): void {
  expect(error).toBeNull();
}

describe('everything about me', () => {
  test('every table with data of an account is in the export, or has a reason not to be', async () => {
    const tables = await database.query<{ name: string }>(
      `select distinct conrelid::regclass::text as name from pg_constraint
         where contype = 'f' and confrelid = 'auth.users'::regclass`,
    );
    const named = tables.map(({ name }) => (name.includes('.') ? name : `public.${name}`));
    expect(named.sort()).toEqual(Object.keys(PLACES).sort());
  });

  test('the export contains the account’s data, no other account’s, and no secret [D35]', async () => {
    const person = await seedPerson();
    const other = await seedPerson();
    const { data, error } = await person.client.rpc('export_my_data');
    expect(error).toBeNull();
    expect(data).toMatchObject({
      account: { id: person.user.id, email: person.email, has_password: true },
      profile: { full_name: `${person.canary} Levi`, email: person.email, phone: person.phone },
      identities: [{ provider: 'email' }],
      items: [{ item_name: `${person.canary} keys`, description: `${person.canary} description` }, {}],
      conversations: [{ owner_id: person.user.id }],
      item_offers: [{ email: `friend-of-${person.canary.slice(0, 30)}@example.com`, accepted_at: null }],
      item_offers_received: [],
      messages: [{ body: `${person.canary} found`, sender: 'finder' }],
      channel_openings: [{ channel: 'call' }],
      reports_of_finders: [{ kind: 'other', body: `${person.canary} report`, qr_id: person.sticker }],
      sessions: [{ user_id: person.user.id }],
      notice_settings: { user_id: person.user.id, sms: false, quiet_from: '22:00:00', time_zone: 'Asia/Jerusalem' },
      test_notices: [{ way: 'email' }],
      measured_labels: [{ name: person.canary, page: 'a4', label_width: 52.5, rows: 10 }],
      notice_addresses: [{ kind: 'ntfy', name: person.canary, url: `https://ntfy.example.com/${person.canary}` }],
      second_contacts: [{ email: `friend-${person.canary}@example.com`, for_all: false }],
      push_subscriptions: [{ endpoint: `https://push.example.com/${person.canary}` }],
    });
    expect((data as { codes: unknown[] }).codes).toHaveLength(4);
    for (const place of Object.values(PLACES)) if (typeof place === 'string') expect(data).toHaveProperty(place);

    const file = JSON.stringify(data);
    expect(file).not.toContain(other.canary);
    expect(file).not.toContain(other.user.id);
    expect(file).not.toMatch(/argon2|_hash|"secret"|refresh_token|p256dh|"auth"|tk_of_nobody|said in confidence/);
    const visitor = await server.client().rpc('export_my_data');
    expect(visitor.error).not.toBeNull();
  });
});

describe('delete my account', () => {
  test('no table keeps anything of a deleted account, and other accounts keep everything [D35]', async () => {
    const person = await seedPerson();
    const other = await seedPerson();
    const kept = await tablesWith(database, other.canary);
    expect(await tablesWith(database, person.canary)).toEqual(kept);
    expect(await tablesWith(database, person.user.id)).toContain('auth.users');

    must(await person.client.rpc('delete_my_account'));

    expect(await tablesWith(database, person.canary)).toEqual([]);
    expect(await tablesWith(database, person.phone.replace('+', ''))).toEqual([]);
    // Only the random id remains, in the audit log's entry of the deletion and in the one that a restore needs.
    await expect.poll(() => tablesWith(database, person.user.id)).toEqual(['auth.audit_log', 'internal.endings']);
    expect(await database.query('select what from internal.endings where id = $1', [person.user.id])).toContainEqual({
      what: 'auth.users',
    });
    expect(await tablesWith(database, other.canary)).toEqual(kept);

    const { data: refreshed, error } = await person.client.auth.refreshSession();
    expect(refreshed.session).toBeNull();
    expect(error).not.toBeNull();
    expect((await person.client.auth.getUser()).error).not.toBeNull();
    const again = await server.client().auth.signInWithPassword({ email: person.email, password: person.password });
    expect(again.error).toMatchObject({ code: 'invalid_credentials' });
    // The stickers are free, a self-made code is forgotten, and the address has no account.
    expect((await server.client().rpc('find_item', { qr_id_param: person.sticker })).data).toBeNull();
    for (const code of [person.sticker, person.further]) {
      must(await other.client.rpc('register_qr_code', { qr_id_param: code, user_id_param: other.user.id }));
    }
    expect(await database.query('select from public.qr_codes where qr_id = $1', [person.ownCode])).toEqual([]);
    const known = await server.client().rpc('check_user_exists', { email_param: person.email });
    expect(known.data).toMatchObject({ exists: false });
  });

  test('an anonymous account, which has nothing to prove with, can be deleted at any time', async () => {
    const { client, user } = await seedPerson();
    await database.query('update auth.users set is_anonymous = true where id = $1', [user.id]);
    await database.query("update auth.sessions set proved_at = now() - interval '1 day' where user_id = $1", [user.id]);
    must(await client.rpc('delete_my_account'));
    expect(await database.query('select from auth.users where id = $1', [user.id])).toEqual([]);
  });

  test('an old sign-in cannot delete an account, even with new tokens; a recent one can', async () => {
    const person = await seedPerson();
    await database.query("update auth.sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [
      person.user.id,
    ]);
    must(await person.client.auth.refreshSession());
    const refused = await person.client.rpc('delete_my_account');
    expect(refused).toMatchObject({ status: 403, error: { code: 'PT403' } });
    expect(await tablesWith(database, person.canary)).toContain('auth.users');

    must(await person.client.auth.signInWithPassword({ email: person.email, password: person.password }));
    must(await person.client.rpc('delete_my_account'));
    expect(await tablesWith(database, person.canary)).toEqual([]);
  });
});

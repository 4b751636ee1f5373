import type { SupabaseClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { assertProperty } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from '#tests/web/support/post-form.ts';
import { registerKey } from './support/register-key.ts';
import { SoftwareKey } from './support/software-key.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

type Actor = 'owner' | 'thief';

/** One account, its owner, and a thief with a session of it. */
interface Scene {
  readonly owner: RegisteredOwner;
  readonly thief: SupabaseClient;
  readonly item: TestItem;
  readonly furtherCode: string;
  /** Whom the thief's acts would reach. */
  readonly accomplice: RegisteredOwner;
  readonly stranger: string;
}

type Act = (
  client: SupabaseClient,
  scene: Scene,
  to: string,
) => PromiseLike<{ error: { code?: string | undefined } | null }>;

/** Each is tried through the real API, with every kind of session. */
const ACTS: Readonly<Record<string, Act>> = {
  offer: (client, { item }, to) => client.rpc('offer_item', { item_id_param: item.id, email_param: to }),
  invite: (client, _scene, to) =>
    client.rpc('invite_second_contact', { email_param: to, phone_param: null, for_all_param: true }),
  widen: (client, { owner }) => client.from('second_contacts').update({ for_all: true }).eq('owner_id', owner.user.id),
  uninvite: (client, { owner }) => client.from('second_contacts').delete().eq('owner_id', owner.user.id),
  webhook: (client, _scene, to) =>
    client.rpc('add_notice_address', {
      kind_param: 'webhook',
      name_param: 'Copy',
      url_param: `https://${to.split('@')[0]}.example.com/`,
    }),
  'webhook with text': (client, { owner }) =>
    client.from('notice_addresses').update({ shows_text: true }).eq('user_id', owner.user.id),
  'no webhook': (client, { owner }) => client.from('notice_addresses').delete().eq('user_id', owner.user.id),
  silence: (client, { owner }) =>
    client.from('notice_settings').upsert({ user_id: owner.user.id, email: false, reminder: false }),
  'quiet all day': (client, { owner }) =>
    client
      .from('notice_settings')
      .upsert({ user_id: owner.user.id, quiet_from: '00:00', quiet_to: '23:59', time_zone: 'UTC' }),
  attach: async (client, { item }) =>
    client.rpc('attach_qr_code', { qr_id_param: await issueTagCode(database), item_id_param: item.id }),
  detach: (client, { furtherCode }) => client.rpc('detach_qr_code', { qr_id_param: furtherCode }),
  number: (client, { owner }) => client.from('profiles').update({ phone: '+12025550199' }).eq('id', owner.user.id),
  'return codes': (client, { item }) => client.rpc('list_return_codes', { item_id_param: item.id }),
  reset: ({ auth }) => auth.updateUser({ password: 'stolen horse' }),
  'another address': ({ auth }, _scene, to) => auth.updateUser({ email: to }),
  factor: ({ auth }) => auth.mfa.enroll({ factorType: 'totp' }),
  passkey: ({ auth }) => registerKey(auth, new SoftwareKey(server.url)),
};

async function setUp(): Promise<Scene> {
  const owner = await registerOwner(server, { phone: '' });
  const accomplice = await registerOwner(server, { phone: '' });
  const item = await createItem(database, owner.user);
  const furtherCode = await issueTagCode(database);
  await owner.client.rpc('attach_qr_code', { qr_id_param: furtherCode, item_id_param: item.id }).throwOnError();
  const thief = server.client();
  const { email, password } = owner;
  expect((await thief.auth.signInWithPassword({ email, password })).error).toBeNull();
  return { owner, thief, item, furtherCode, accomplice, stranger: accomplice.email };
}

const isProofNeeded = ({ error }: Awaited<ReturnType<Act>>) =>
  error?.code === 'PT403' || error?.code === 'reauthentication_needed';

const acts = fc.array(
  fc.record({
    actor: fc.constantFrom<Actor>('owner', 'thief', 'thief'),
    act: fc.constantFrom(...Object.keys(ACTS)),
    accepts: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test('whatever an old stolen session tries, in any order, it changes nothing that outlives it [K3]', async () => {
  await assertProperty(
    fc.asyncProperty(acts, async (tried) => {
      const scene = await setUp();
      const { owner } = scene;
      await database.query("update auth.sessions set proved_at = now() - interval '25 hours' where user_id = $1", [
        owner.user.id,
      ]);
      const before = await reachOf(scene);
      for (const { act } of tried) {
        // Nothing is there that these could change.
        const outcome = await ACTS[act]?.(scene.thief, scene, scene.stranger);
        if (!['widen', 'uninvite', 'webhook with text', 'no webhook'].includes(act)) {
          expect(outcome && isProofNeeded(outcome), act).toBe(true);
        }
      }
      expect(await reachOf(scene)).toEqual(before);
    }),
    { short: 3, long: 40 },
  );
});

/** Everything by which somebody but the owner reads messages to come, holds the item, or opens the account. */
async function reachOf({ owner, item }: Scene) {
  const [reach] = await database.query<Record<string, unknown>>(
    `select
       (select array_agg(email order by email) from public.second_contacts where owner_id = $1) as contacts,
       (select bool_or(for_all) from public.second_contacts where owner_id = $1) as for_all,
       (select array_agg(url order by url) from public.notice_addresses where user_id = $1) as addresses,
       (select count(*)::int from public.item_offers where giver_id = $1 and accepted_at is null) as offers,
       (select coalesce(email and reminder and quiet_from is null, true) from (select 1) as one
          left join public.notice_settings on user_id = $1) as is_notified,
       (select array_agg(provider order by provider) from auth.identities where user_id = $1) as identities,
       (select count(*)::int from auth.mfa_factors where user_id = $1) as factors,
       (select count(*)::int from auth.passkeys where user_id = $1) as passkeys,
       (select email from auth.users where id = $1) as email,
       (select phone from public.profiles where id = $1) as number,
       (select user_id from public.items where id = $2 and given_at is null) as holder`,
    [owner.user.id, item.id],
  );
  return reach;
}

test('after "This wasn’t me" and a new password, a thief who knew the password can do nothing, in whatever order both acted [K3]', async () => {
  await assertProperty(
    fc.asyncProperty(acts, async (done) => {
      const scene = await setUp();
      const { owner, thief, item, stranger } = scene;
      const ownContact = anEmail();
      const offers: string[] = [];
      // The thief begins with one change, which the owner reads of.
      await ACTS.silence?.(thief, scene, stranger);
      for (const { actor, act, accepts } of done) {
        const outcome = await ACTS[act]?.(
          actor === 'owner' ? owner.client : thief,
          scene,
          actor === 'owner' ? ownContact : stranger,
        );
        if (act === 'offer' && outcome?.error === null) offers.push(idOf(outcome));
        if (act === 'invite' && accepts) {
          await database.query('update public.second_contacts set agreed_at = now() where owner_id = $1', [
            owner.user.id,
          ]);
        }
      }
      const path = await linkToUndo(owner.email);
      expect((await postForm(server, path, {})).status).toBe(200);
      const client = server.client();
      expect((await client.auth.resetPasswordForEmail(owner.email)).error).toBeNull();
      const token = server.delivery.codeFor(owner.email);
      const { data } = await client.auth.verifyOtp({ email: owner.email, token, type: 'recovery' });
      expect(data.user?.id).toBe(owner.user.id);
      expect((await client.auth.updateUser({ password: 'battery staple 9' })).error).toBeNull();

      for (const password of [owner.password, 'stolen horse']) {
        const { error } = await server.client().auth.signInWithPassword({ email: owner.email, password });
        expect(error?.code).toBe('invalid_credentials');
      }
      for (const act of Object.values(ACTS)) expect((await act(thief, scene, stranger)).error).not.toBeNull();
      for (const id of offers) {
        const accepted = await scene.accomplice.client.rpc('accept_offer', { offer_id_param: id });
        expect(accepted.error?.code).toBe('PT404');
      }
      const { contacts, addresses, ...rest } = (await reachOf(scene)) ?? {};
      expect(rest).toMatchObject({
        offers: 0,
        is_notified: true,
        identities: ['email'],
        factors: 0,
        passkeys: 0,
        email: owner.email,
        holder: owner.user.id,
      });
      expect(contacts ?? []).not.toContain(stranger);
      expect(addresses ?? []).not.toContain(`https://${stranger.split('@')[0]}.example.com/`);
      expect(item.id).not.toBe('');
    }),
    { short: 3, long: 40 },
  );
});

function idOf(outcome: object): string {
  // The response of `offer_item`.
  const { data } = outcome as { readonly data: { readonly id: string } };
  return data.id;
}

/** The link in the first notice of the thief's first change. */
async function linkToUndo(email: string): Promise<string> {
  for (;;) {
    const { subject, text } = await server.delivery.takeEmailTo(email);
    const path = /\/not-me\/[\w%-]+/.exec(text)?.[0];
    if (path !== undefined && subject.includes('fewer notifications')) return path;
  }
}

import { createHash, randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { assertProperty } from '#tests/support/long-runs.ts';
import { startOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { Visitor } from '#tests/support/oidc/visitor.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { ownLinksIn } from './support/link-in.ts';
import { aPerson, asProvider, visitsOn } from './support/provider-visits.ts';

const database = await createTestDatabase();
const clock = holdTime();
const port = await ownPort();
const provider = await startOidcProvider({ id: 'example', redirectUri: `http://localhost:${port}/auth/v1/callback` });
const quick = (password: string) => createHash('sha256').update(password).digest('hex');
const server = await startTestServer(database, {
  port,
  clock,
  environment: { OIDC_PROVIDERS: JSON.stringify([provider.settings]), ANONYMOUS_SIGN_INS: 'true' },
  // Hashing would take most of the time and is not tested here.
  auth: {
    passwords: {
      hash: async (password) => quick(password),
      matches: async (password, hash) => quick(password) === hash,
      waiting: () => 0,
      findAmong: async (password, hashes) => hashes.find((hash) => quick(password) === hash),
    },
  },
});
const { callbackPage, clientOf, isOurPage } = visitsOn(server, provider);

/** One of two people with a browser, a phone and a password. Both name the same address, which one of them reads. */
interface Party {
  readonly name: 'owner' | 'stranger';
  readonly client: SupabaseClient;
  readonly visitor: Visitor;
  readonly password: string;
  /** A word that is in every name and note that they enter, and in no one else's. */
  readonly word: string;
  readonly phone: string;
  readonly otherPhone: string;
  readonly email: string;
  readonly readsMail: boolean;
  /** Their accounts at the provider, of which it proves only what they read. */
  readonly person: ReturnType<typeof aPerson>;
  /** Messages that they have looked at. */
  readonly seen: Set<unknown>;
  /** A code was requested, so a form waits for it. */
  asked: boolean;
}

/** Which party has been in which account. */
type Entered = Map<string, Party>;

/** What they enter in a form: a name, a note, and a tag code. */
const detailsOf = ({ word }: Party) => ({ full_name: `Name ${word}`, note: `Note ${word}`, qr_id: `tgt-${word}` });

/** Two people who name one address. The first one reads it. */
function twoParties(email: string): readonly [owner: Party, stranger: Party] {
  const phones = [aPhone(), aPhone()] as const;
  return [aParty('owner', email, phones), aParty('stranger', email, [phones[1], phones[0]])];
}

function aParty(name: Party['name'], email: string, [phone, otherPhone]: readonly [string, string]): Party {
  const readsMail = name === 'owner';
  const word = `entered-by-${name}-${randomUUID().slice(0, 8)}`;
  const person = aPerson({ email, email_verified: readsMail, name: `Person ${word}` });
  const visitor = new Visitor();
  const client = clientOf(visitor);
  const password = `the ${name}’s own`;
  const seen = new Set<unknown>();
  return { name, client, visitor, password, word, phone, otherPhone, email, readsMail, person, seen, asked: false };
}

type Act = (party: Party) => Promise<unknown>;

const ACTS: Readonly<Record<string, Act>> = {
  async registersWithPhone(party) {
    const { client, email, password, phone } = party;
    const entered = { ...detailsOf(party), phone };
    const { data, error } = await client.auth.signUp({ email, password, options: { data: entered } });
    expectOnlyOwn(party, data.user);
    if (error === null) party.asked = true;
  },
  /** The stranger enters the owner's number. The owner makes no such mistake. */
  async registersWithOtherPhone(party) {
    const { client, email, password, otherPhone } = party;
    if (party.name === 'owner') return;
    const data = { ...detailsOf(party), phone: otherPhone };
    const registered = await client.auth.signUp({ email, password, options: { data } });
    expectOnlyOwn(party, registered.data.user);
  },
  async registersByMail(party) {
    const { email, password } = party;
    const { data, error } = await party.client.auth.signUp({ email, password, options: { data: detailsOf(party) } });
    expectOnlyOwn(party, data.user);
    if (error === null) party.asked = true;
  },
  async asksForCode(party) {
    const { email } = party;
    const { error } = await party.client.auth.signInWithOtp({ email, options: { data: detailsOf(party) } });
    if (error === null) party.asked = true;
  },
  async recovers({ client, email }) {
    await client.auth.resetPasswordForEmail(email);
  },
  async readsSms(party) {
    const { client, email, phone, seen } = party;
    // The owner enters a code only where a form of theirs waits for one.
    if (party.name === 'owner' && !party.asked) return;
    const sent = withCodes(server.delivery.texts).filter((sms) => sms.to === phone && !seen.has(sms));
    for (const sms of sent) seen.add(sms);
    const newest = sent.at(-1);
    if (newest === undefined) return;
    const token = codeIn(newest);
    await client.auth.verifyOtp({ email, token, type: 'signup' });
    await client.auth.verifyOtp({ phone, token, type: 'sms' });
    await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
  },
  // The reader of an address opens every mail, requested or not.
  readsMail: (party) => readMail(party),
  readsOldestMail: (party) => readMail(party, 1),
  async signsInByPassword({ client, email, password }) {
    await client.auth.signInWithPassword({ email, password });
  },
  async signsInByPhone({ client, phone, password }) {
    await client.auth.signInWithPassword({ phone, password });
  },
  async asksForSms(party) {
    const { error } = await party.client.auth.signInWithOtp({ phone: party.phone });
    if (error === null) party.asked = true;
  },
  async signsInThroughProvider({ client, visitor, person }) {
    provider.person = person;
    const options = { redirectTo: callbackPage, skipBrowserRedirect: true };
    const { data } = await client.auth.signInWithOAuth({ provider: asProvider('example'), options });
    const end = await visitor.follow(data.url ?? '', isOurPage);
    const code = end.searchParams.get('code');
    if (code !== null) await client.auth.exchangeCodeForSession(code);
  },
  async linksProvider({ client, visitor, person }) {
    provider.person = person;
    const options = { redirectTo: callbackPage, skipBrowserRedirect: true };
    const { data } = await client.auth.linkIdentity({ provider: asProvider('example'), options });
    if (data?.url == null) return;
    const end = await visitor.follow(data.url, isOurPage);
    const code = end.searchParams.get('code');
    if (code !== null) await client.auth.exchangeCodeForSession(code);
  },
  async signsInAnonymously({ client }) {
    await client.auth.signInAnonymously();
  },
  async changesEmail({ client, email }) {
    await client.auth.updateUser({ email });
  },
  async changesPhone(party) {
    const { error } = await party.client.auth.updateUser({ phone: party.phone });
    if (error === null) party.asked = true;
  },
  async entersDetails(party) {
    await party.client.auth.updateUser({ data: detailsOf(party) });
  },
  async asksAgain({ client, email }) {
    await client.auth.resend({ type: 'signup', email });
  },
  async setsPassword({ client, password }) {
    await client.auth.updateUser({ password });
  },
  async enrolsFactor({ client }) {
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (data === null) return;
    const code = new TOTP({ secret: Secret.fromBase32(data.totp.secret) }).generate({ timestamp: clock.now() });
    await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  },
  async signsOut({ client }) {
    await client.auth.signOut({ scope: 'local' });
  },
};

const LINKS = ['signup', 'magiclink', 'recovery', 'email', 'email_change', 'invite'];

/** Opens the mails that were not opened before, oldest first, and uses what is in them. */
async function readMail(party: Party, most = Number.POSITIVE_INFINITY): Promise<void> {
  if (!party.readsMail) return;
  const { client, email, seen } = party;
  const unread = server.delivery.emails.filter((mail) => mail.to === email && !seen.has(mail));
  for (const mail of unread.slice(0, most)) {
    seen.add(mail);
    const isForForm = party.asked && withCodes([mail]).length > 0 && /\b\d{6}\b/.test(mail.text);
    if (isForForm) await client.auth.verifyOtp({ email, token: codeIn(mail), type: 'email' });
    for (const { tokenHash, type } of ownLinksIn(mail)) {
      // Each mail states its purpose, and an owner does not give up their own address.
      if (tokenHash === '' || !LINKS.includes(type) || mail.text.includes(`not-mine#token_hash=${tokenHash}`)) continue;
      await client.auth.verifyOtp({ token_hash: tokenHash, type: type as 'email' });
    }
  }
}

/** Verifies that a response shows a party nothing that the other one entered. */
function expectOnlyOwn({ word, name }: Party, shown: unknown): void {
  const other = name === 'owner' ? 'stranger' : 'owner';
  expect(JSON.stringify(shown ?? null).replaceAll(word, ''), `shown to the ${name}`).not.toContain(
    `entered-by-${other}-`,
  );
}

/** Verifies that each confirmed account with a password has a name to sign in with. */
async function expectNames(): Promise<void> {
  const nameless = await database.query(
    `select account.id from auth.users as account
       where confirmed_at is not null and encrypted_password is not null and deleted_at is null
         and coalesce(email, claimed_email, phone) is null and lost_email_hash is null`,
  );
  expect(nameless).toEqual([]);
}

/** Verifies that an account holds nothing that the party who is not in it has entered. */
async function expectOwnDetails(entered: Entered): Promise<void> {
  for (const [id, party] of entered) {
    const [account] = await database.query<{ details: unknown; password: string | null }>(
      `select account.encrypted_password as password, jsonb_build_array(
           account.raw_user_meta_data, to_jsonb(profile),
           (select jsonb_agg(identity.identity_data) from auth.identities as identity where identity.user_id = $1),
           (select jsonb_agg(item) from public.items as item where item.user_id = $1)
         ) as details
         from auth.users as account left join public.profiles as profile using (id) where account.id = $1`,
      [id],
    );
    expectOnlyOwn(party, account?.details);
    if (account?.password != null)
      expect(account.password, `password of the ${party.name}`).toBe(quick(party.password));
  }
}

/** Verifies that only one party ever had access to the account. */
async function expectOwnAccount(party: Party, entered: Entered): Promise<void> {
  const { data } = await party.client.auth.getSession();
  const userId = data.session?.user.id;
  if (userId === undefined) return;
  const before = entered.get(userId);
  expect(before?.name ?? party.name, 'the account was entered by').toBe(party.name);
  entered.set(userId, party);
}

/** Verifies that nothing one party proved is in an account that the other has entered. */
async function expectOwnProofs(parties: readonly Party[], entered: Entered): Promise<void> {
  for (const party of parties) {
    const rows = await database.query<{ id: string }>(
      `select id from auth.users
         where phone = $1 or ($2 and email = $3)
           or id in (select user_id from auth.identities where provider = 'example' and provider_id = $4)`,
      [party.phone.slice(1), party.readsMail, party.email, party.person.sub],
    );
    for (const { id } of rows)
      expect(entered.get(id)?.name ?? party.name, `proved by the ${party.name}`).toBe(party.name);
  }
}

test('in any order of registering, proving, recovering, changing, enrolling, and linking, neither of two users reaches the other’s account [K2] [K36]', async () => {
  const step = fc.record({ who: fc.constantFrom(0, 1), act: fc.constantFrom(...Object.keys(ACTS)) });
  await assertProperty(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }), async (steps) => {
      const email = anEmail();
      const parties = twoParties(email);
      const entered: Entered = new Map();
      for (const { who, act } of steps) {
        const party = parties[who === 0 ? 0 : 1];
        clock.advance(61_000);
        await ACTS[act]?.(party);
        await expectOwnAccount(party, entered);
        await expectOwnProofs(parties, entered);
        await expectOwnDetails(entered);
        await expectNames();
      }
    }),
    { short: 8, long: 200, endOnFailure: true },
  );
}, 600_000);

/** The orders in which an account was once handed over. */
test.each([
  [
    'an address that a stranger claims, with their phone',
    ['stranger registersWithPhone', 'stranger readsSms', 'stranger enrolsFactor', 'owner readsMail', 'owner recovers'],
  ],
  ['an unrequested link', ['stranger registersByMail', 'owner readsMail', 'stranger signsInByPassword']],
  ['a change to an address', ['stranger signsInAnonymously', 'stranger changesEmail', 'owner readsMail']],
  ['a second registration', ['owner registersByMail', 'stranger registersByMail', 'owner readsMail']],
  ['a registration before theirs', ['stranger registersByMail', 'owner registersByMail', 'owner readsOldestMail']],
  ['a request for a code', ['owner registersByMail', 'stranger asksForCode', 'stranger asksAgain', 'owner readsMail']],
])('%s gives no access to the account of its reader [K2]', async (_, script) => {
  const email = anEmail();
  const [owner, stranger] = twoParties(email);
  const parties = { owner, stranger };
  const entered: Entered = new Map();
  const rest = [
    'owner readsMail',
    'owner setsPassword',
    'stranger asksForSms',
    'stranger readsSms',
    'owner registersByMail',
  ];
  for (const line of [...script, ...rest, 'owner readsMail', 'owner signsInByPassword', 'stranger signsInByPassword']) {
    const [who, act = ''] = line.split(' ');
    const party = who === 'owner' ? parties.owner : parties.stranger;
    clock.advance(61_000);
    await settled();
    await ACTS[act]?.(party);
    await expectOwnAccount(party, entered);
    await expectOwnProofs(Object.values(parties), entered);
    await expectOwnDetails(entered);
    await expectNames();
  }
  const { data } = await parties.owner.client.auth.getUser();
  expect(data.user?.email, 'the reader has an account with the address').toBe(email);
  expect(data.user?.email_confirmed_at).toBeDefined();
});

/** What the owner requests, with what the stranger requests before the owner opens their mail. */
test.each([
  ['asksForCode', ['asksForCode', 'recovers', 'asksForCode']],
  ['recovers', ['recovers', 'recovers', 'asksForCode', 'recovers']],
])(
  'whatever a stranger requests between email and click, the owner who %s is signed in [K24]',
  async (requests, between) => {
    const email = anEmail();
    const [owner, stranger] = twoParties(email);
    const act = async (party: Party, name: string) => {
      clock.advance(61_000);
      await ACTS[name]?.(party);
    };
    for (const name of ['registersByMail', 'readsMail', 'signsOut', requests]) await act(owner, name);
    // By the link alone: the code is for the form, which is closed by now.
    owner.asked = false;
    for (const name of between) await act(stranger, name);
    const sent = server.delivery.emails.filter((mail) => mail.to === email && !owner.seen.has(mail));
    expect(sent).toHaveLength(1 + between.length);
    await ACTS.readsOldestMail?.(owner);
    expect((await owner.client.auth.getUser()).data.user?.email).toBe(email);
  },
);

/** Mails that a job sends have arrived. */
async function settled(): Promise<void> {
  await expect
    .poll(() => database.query("select from graphile_worker.jobs where task_identifier = 'send_account_mail'"))
    .toEqual([]);
}

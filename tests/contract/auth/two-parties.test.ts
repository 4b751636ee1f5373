import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { codeIn, withCodes } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { startOidcProvider } from '#tests/support/oidc/start-oidc-provider.ts';
import { Visitor } from '#tests/support/oidc/visitor.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { ownLinksIn } from './support/link-in.ts';
import { aPerson, asProvider, visitsOn } from './support/provider-visits.ts';

/** How many sequences; `RANDOM_SEQUENCES=2000` makes the long run. */
const SEQUENCES = Number(process.env.RANDOM_SEQUENCES ?? 25);

const database = await createTestDatabase();
const clock = holdTime();
const port = await ownPort();
const provider = await startOidcProvider({ id: 'example', redirectUri: `http://localhost:${port}/auth/v1/callback` });
const quick = (password: string) => createHash('sha256').update(password).digest('hex');
const server = await startTestServer(database, {
  port,
  clock,
  environment: { OIDC_PROVIDERS: JSON.stringify([provider.settings]), ANONYMOUS_SIGN_INS: 'true' },
  // What is tried here is not the hashing, which would take most of the time.
  auth: {
    uniformAnswerMs: 0,
    passwords: {
      hash: async (password) => quick(password),
      matches: async (password, hash) => quick(password) === hash,
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
  readonly phone: string;
  readonly email: string;
  readonly readsMail: boolean;
  /** Their accounts at the provider, of which it proves only what they read. */
  readonly person: ReturnType<typeof aPerson>;
  /** Messages that they have looked at. */
  readonly seen: Set<unknown>;
  /** They asked for a code to the address, so a form waits for it. */
  asked: boolean;
}

/** Which party has been in which account. */
type Entered = Map<string, Party>;

function aParty(name: Party['name'], email: string): Party {
  const readsMail = name === 'owner';
  const person = aPerson(readsMail ? { email } : { email, email_verified: false });
  const visitor = new Visitor();
  const client = clientOf(visitor);
  const password = `the ${name}’s own`;
  return { name, client, visitor, password, phone: aPhone(), email, readsMail, person, seen: new Set(), asked: false };
}

type Act = (party: Party) => Promise<unknown>;

const ACTS: Readonly<Record<string, Act>> = {
  async registersWithPhone({ client, email, password, phone }) {
    await client.auth.signUp({ email, password, options: { data: { phone } } });
  },
  async registersByMail(party) {
    const { error } = await party.client.auth.signUp({ email: party.email, password: party.password });
    if (error === null) party.asked = true;
  },
  async asksForCode(party) {
    const { error } = await party.client.auth.signInWithOtp({ email: party.email });
    if (error === null) party.asked = true;
  },
  async recovers({ client, email }) {
    await client.auth.resetPasswordForEmail(email);
  },
  async readsSms({ client, email, phone, seen }) {
    const sent = withCodes(server.delivery.texts).filter((sms) => sms.to === phone && !seen.has(sms));
    for (const sms of sent) seen.add(sms);
    const newest = sent.at(-1);
    if (newest === undefined) return;
    const token = codeIn(newest);
    await client.auth.verifyOtp({ email, token, type: 'signup' });
    await client.auth.verifyOtp({ phone, token, type: 'sms' });
    await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
  },
  // The reader of an address opens whatever comes, asked for or not.
  async readsMail(party) {
    if (!party.readsMail) return;
    const { client, email, seen } = party;
    for (const mail of server.delivery.emails.filter(({ to }) => to === email)) {
      if (seen.has(mail)) continue;
      seen.add(mail);
      const isForForm = party.asked && withCodes([mail]).length > 0 && /\b\d{6}\b/.test(mail.text);
      if (isForForm) await client.auth.verifyOtp({ email, token: codeIn(mail), type: 'email' });
      for (const { tokenHash, type } of ownLinksIn(mail)) {
        // Each says what it is in words; who has a use for their own address does not give it up.
        if (tokenHash === '' || !LINKS.includes(type) || mail.text.includes(`not-mine#token_hash=${tokenHash}`))
          continue;
        await client.auth.verifyOtp({ token_hash: tokenHash, type: type as 'email' });
      }
    }
  },
  async signsInByPassword({ client, email, password }) {
    await client.auth.signInWithPassword({ email, password });
  },
  async signsInByPhone({ client, phone, password }) {
    await client.auth.signInWithPassword({ phone, password });
  },
  async asksForSms({ client, phone }) {
    await client.auth.signInWithOtp({ phone });
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
  async changesPhone({ client, phone }) {
    await client.auth.updateUser({ phone });
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

/** Whoever is in an account is the only one who ever was. */
async function expectOwnAccount(party: Party, entered: Entered): Promise<void> {
  const { data } = await party.client.auth.getSession();
  const userId = data.session?.user.id;
  if (userId === undefined) return;
  const before = entered.get(userId);
  expect(before?.name ?? party.name, 'the account was entered by').toBe(party.name);
  entered.set(userId, party);
}

/** What one has proved is in no account that the other has entered. */
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

test('in whatever order two people register, prove, recover, change, enrol and link, neither reaches what is the other’s', async () => {
  const step = fc.record({ who: fc.constantFrom(0, 1), act: fc.constantFrom(...Object.keys(ACTS)) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }), async (steps) => {
      const email = anEmail();
      const parties = [aParty('owner', email), aParty('stranger', email)] as const;
      const entered: Entered = new Map();
      for (const { who, act } of steps) {
        const party = parties[who === 0 ? 0 : 1];
        clock.advance(61_000);
        await ACTS[act]?.(party);
        await expectOwnAccount(party, entered);
        await expectOwnProofs(parties, entered);
      }
    }),
    { numRuns: SEQUENCES, endOnFailure: true },
  );
}, 600_000);

/** The orders in which an account was once handed over. */
test.each([
  [
    'an address that a stranger claims, with their phone',
    ['stranger registersWithPhone', 'stranger readsSms', 'stranger enrolsFactor', 'owner readsMail', 'owner recovers'],
  ],
  ['a link that nobody asked for', ['stranger registersByMail', 'owner readsMail', 'stranger signsInByPassword']],
  ['a change to an address', ['stranger signsInAnonymously', 'stranger changesEmail', 'owner readsMail']],
])('%s is no way into the account of its reader', async (_, script) => {
  const email = anEmail();
  const parties = { owner: aParty('owner', email), stranger: aParty('stranger', email) };
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
  }
  const { data } = await parties.owner.client.auth.getUser();
  expect(data.user?.email, 'the reader has an account with the address').toBe(email);
  expect(data.user?.email_confirmed_at).toBeDefined();
});

/** Mails that a job sends have arrived. */
async function settled(): Promise<void> {
  await expect
    .poll(() => database.query("select from graphile_worker.jobs where task_identifier = 'send_account_mail'"))
    .toEqual([]);
}

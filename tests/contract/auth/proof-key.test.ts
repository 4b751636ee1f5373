import { createHash, randomBytes } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { callAuth } from './support/call-auth.ts';
import { verifyLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const APP = 'https://app.example.org/welcome';
const OTHER_APP = 'https://other.example.org/in';
const { database, clock, server } = await startAuthByMail({ REDIRECT_ALLOWLIST: `${APP},${OTHER_APP}` });

interface ProofKey {
  readonly verifier: string;
  readonly code_challenge: string;
  readonly code_challenge_method: string;
}

function makeProofKey(): ProofKey {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, code_challenge, code_challenge_method: 's256' };
}

async function confirmedOwner(): Promise<string> {
  const { email } = await registerOwner(server, { phone: '' });
  await server.delivery.takeEmailTo(email);
  clock.advance(60_000);
  return email;
}

/** Returns the mail of a sign-in that was requested with a proof key. */
async function askForLink({ code_challenge, code_challenge_method }: Partial<ProofKey>, to = APP) {
  const email = await confirmedOwner();
  const path = `/otp?redirect_to=${encodeURIComponent(to)}`;
  const asked = await callAuth(server, 'POST', path, { email, code_challenge, code_challenge_method });
  expect(asked.status).toBe(200);
  return { email, mail: await server.delivery.takeEmailTo(email) };
}

async function follow(link: URL): Promise<URL> {
  const response = await server.request(link.pathname + link.search);
  return new URL(response.headers.get('location') ?? 'about:blank');
}

/** A code that waits for its exchange, and the key of its flow. */
async function codeToExchange() {
  const key = makeProofKey();
  const { email, mail } = await askForLink(key);
  const code = (await follow(verifyLinkIn(mail))).searchParams.get('code') ?? '';
  expect(code).toMatch(/^[0-9a-f-]{36}$/);
  return { email, code, key };
}

function exchange(auth_code: string, code_verifier: string) {
  return callAuth(server, 'POST', '/token?grant_type=pkce', { auth_code, code_verifier });
}

test('the official client signs in with a code and the verifier that it kept', async () => {
  const email = await confirmedOwner();
  const kept = new Map<string, string>();
  const client = createClient(server.url, server.secrets.publishableKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, value) => void kept.set(name, value),
        removeItem: (name) => void kept.delete(name),
      },
    },
    global: { headers: { 'X-Forwarded-For': anAddress() } },
  });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  await client.auth.resetPasswordForEmail(email, { redirectTo: APP });
  const to = await follow(verifyLinkIn(await server.delivery.takeEmailTo(email)));
  expect(to.hash).toBe('');
  const { data, error } = await client.auth.exchangeCodeForSession(to.searchParams.get('code') ?? '');
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);
  const claims = await client.auth.getClaims();
  expect(claims.data?.claims.amr).toMatchObject([{ method: 'recovery' }]);
  expect(events).toContain('PASSWORD_RECOVERY');
});

test('a password set by the operator invalidates a code that waits for its exchange', async () => {
  const { email, code, key } = await codeToExchange();
  const { auth } = server.client({ key: server.secrets.secretKey });
  const { data } = await auth.admin.listUsers();
  const id = data.users.find((user) => user.email === email)?.id ?? '';
  expect((await auth.admin.updateUserById(id, { password: 'another horse' })).error).toBeNull();
  expect(await exchange(code, key.verifier)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
});

test('of fifty simultaneous exchanges of one code, one gets a session, and later ones get none [B16]', async () => {
  const { code, key, email } = await codeToExchange();
  const responses = await Promise.all(Array.from({ length: 50 }, () => exchange(code, key.verifier)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(404)]);
  expect((await exchange(code, key.verifier)).body.code).toBe('flow_state_not_found');
  const sessions = await database.query(
    `select from auth.sessions join auth.users as account on account.id = user_id
       where email = $1 and amr @> '[{"method": "magiclink"}]'`,
    [email],
  );
  expect(sessions).toHaveLength(1);
});

test('a wrong verifier, one of another flow, the challenge itself, and a missing one are refused [B16]', async () => {
  const { code, key } = await codeToExchange();
  const other = await codeToExchange();
  for (const verifier of [makeProofKey().verifier, other.key.verifier, key.code_challenge, `${key.verifier}=`]) {
    expect(await exchange(code, verifier)).toMatchObject({
      status: 400,
      body: {
        code: 'bad_code_verifier',
        message: 'code challenge does not match previously saved code verifier',
      },
    });
  }
  expect(await exchange(code, '')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect((await exchange(code, key.verifier)).status).toBe(200);
});

test('an authorization code is valid for five minutes [B16]', async () => {
  const intime = await codeToExchange();
  clock.advance(5 * 60_000 - 1);
  expect((await exchange(intime.code, intime.key.verifier)).status).toBe(200);
  const late = await codeToExchange();
  clock.advance(5 * 60_000);
  expect(await exchange(late.code, late.key.verifier)).toMatchObject({
    status: 422,
    body: { code: 'flow_state_expired', message: 'invalid flow state, flow state has expired' },
  });
});

test('the token of a link with a proof key opens nothing by itself [B16]', async () => {
  const key = makeProofKey();
  const { mail } = await askForLink(key);
  const link = verifyLinkIn(mail);
  const token = link.searchParams.get('token') ?? '';
  expect(token).toMatch(/^pkce_/);
  for (const type of ['magiclink', 'email']) {
    expect(await callAuth(server, 'POST', '/verify', { type, token_hash: token })).toMatchObject({
      status: 403,
      body: { code: 'otp_expired' },
    });
  }
  const stripped = new URL(link);
  stripped.searchParams.set('token', token.slice('pkce_'.length));
  expect((await follow(stripped)).hash).toContain('error_code=otp_expired');
  expect((await follow(link)).searchParams.get('code'), 'it is still good').not.toBeNull();
  const again = await follow(link);
  for (const fields of [again.searchParams, new URLSearchParams(again.hash.slice(1))]) {
    expect(fields.get('error_code')).toBe('otp_expired');
  }
});

test.each([
  ['another site that the operator listed', OTHER_APP, 'https://other.example.org'],
  ['a site that is not listed', 'https://evil.example.org/', server.url],
  ['a page of ours', `${server.url}/dashboard`, server.url],
])(
  'a link redirected to %s carries a code that only the client with the verifier can use [K6]',
  async (_, to, origin) => {
    const key = makeProofKey();
    const { email, mail } = await askForLink(key);
    const link = verifyLinkIn(mail);
    link.searchParams.set('redirect_to', to);
    const landed = await follow(link);
    expect(landed.origin).toBe(origin);
    const code = landed.searchParams.get('code') ?? '';
    expect([...landed.searchParams.keys(), landed.hash], 'a code, and no session').toEqual(['code', '']);

    // The site that got it has flows of its own, and no verifier of this one.
    const own = await codeToExchange();
    for (const verifier of [own.key.verifier, key.code_challenge, makeProofKey().verifier]) {
      expect(await exchange(code, verifier)).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } });
    }
    expect((await exchange(code, key.verifier)).body).toMatchObject({ user: { email } });
  },
);

test.each([
  ['plain', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }],
  ['no method', { code_challenge: 'a'.repeat(43) }],
  ['no challenge', { code_challenge_method: 's256' }],
  ['a challenge that is no SHA-256', { code_challenge: 'a'.repeat(44), code_challenge_method: 's256' }],
])('a flow with %s is refused before anything is sent [B16]', async (_, fields) => {
  const email = anEmail();
  for (const path of ['/otp', '/recover', '/signup', '/resend']) {
    const body = { email, password: 'correct horse', type: 'signup', ...fields };
    expect(await callAuth(server, 'POST', path, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  }
  expect(server.delivery.emails.filter(({ to }) => to === email)).toEqual([]);
});

test('a link without a proof key never carries a code, and one to our own page carries only the token', async () => {
  const { mail } = await askForLink({});
  expect((await follow(verifyLinkIn(mail))).searchParams.get('code')).toBeNull();
  const own = await askForLink(makeProofKey(), `${server.url}/auth/callback`);
  expect(own.mail.text).toContain(`${server.url}/auth/callback#token_hash=`);
  expect(own.mail.text).not.toContain('pkce_');
});

test('the digits of a flow with a proof key work in the requesting client, and end its link', async () => {
  const { email, mail } = await askForLink(makeProofKey());
  const body = { type: 'email', email, token: codeIn(mail) };
  expect((await callAuth(server, 'POST', '/verify', body)).status).toBe(200);
  expect((await follow(verifyLinkIn(mail))).searchParams.get('error_code')).toBe('otp_expired');
});

test('a new password ends what waits to be exchanged', async () => {
  const { email, code, key } = await codeToExchange();
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: 'correct horse' });
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  expect((await exchange(code, key.verifier)).status).toBe(404);
});

test('an account that was banned or deleted since gets no session', async () => {
  const [banned, deleted] = [await codeToExchange(), await codeToExchange()];
  await database.query("update auth.users set banned_until = 'infinity' where email = $1", [banned.email]);
  await database.query('update auth.users set deleted_at = now() where email = $1', [deleted.email]);
  expect((await exchange(banned.code, banned.key.verifier)).body.code).toBe('user_banned');
  expect((await exchange(deleted.code, deleted.key.verifier)).body.code).toBe('flow_state_not_found');
});

import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { callAuth } from './support/call-auth.ts';
import { verifyLinkIn } from './support/link-in.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const APP = 'https://app.example.org/welcome?from=mail';
const { clock, server } = await startAuthByMail({ REDIRECT_ALLOWLIST: APP });

/** Follows the link like a browser and returns where it leads. */
async function follow(link: URL, method = 'GET'): Promise<{ status: number; to: URL; fragment: URLSearchParams }> {
  const response = await server.request(link.pathname + link.search, { method });
  await response.text();
  const to = new URL(response.headers.get('location') ?? 'about:blank');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  return { status: response.status, to, fragment: new URLSearchParams(to.hash.slice(1)) };
}

async function mailedLink(email: string): Promise<URL> {
  return verifyLinkIn(await server.delivery.takeEmailTo(email));
}

/** Each way to be mailed a link for another site: the type on it, and whose address it proves. */
const PATHS = {
  signup: async () => {
    const email = anEmail();
    const { error } = await server
      .client()
      .auth.signUp({ email, password: 'correct horse', options: { emailRedirectTo: APP } });
    expect(error).toBeNull();
    return { email, link: await mailedLink(email) };
  },
  magiclink: async () => {
    const { email } = await registerOwner(server, { phone: '' });
    await server.delivery.takeEmailTo(email);
    clock.advance(60_000);
    await server.client().auth.signInWithOtp({ email, options: { emailRedirectTo: APP } });
    return { email, link: await mailedLink(email) };
  },
  recovery: async () => {
    const { email } = await registerOwner(server, { phone: '' });
    await server.delivery.takeEmailTo(email);
    clock.advance(60_000);
    await server.client().auth.resetPasswordForEmail(email, { redirectTo: APP });
    return { email, link: await mailedLink(email) };
  },
};

test.each(Object.entries(PATHS))(
  'a link of type %s leads to the app with a session in its fragment',
  async (type, way) => {
    const { email, link } = await way();
    expect(link.origin).toBe(server.url);
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ type, redirect_to: APP });

    const { status, to, fragment } = await follow(link);
    expect(status).toBe(303);
    expect(to.origin + to.pathname + to.search).toBe(APP);
    expect([...fragment.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ]);
    expect(fragment.get('type')).toBe(type);
    const { data } = await server.client().auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });
    expect(data.user?.email).toBe(email);
    expect(data.user?.email_confirmed_at).toBeDefined();
  },
);

test('a used, expired, or invented link reports that on its target page', async () => {
  const { link } = await PATHS.signup();
  await follow(link);
  const late = (await PATHS.signup()).link;
  clock.advance(3_600_000);
  const forged = new URL(link);
  forged.searchParams.set('token', 'x'.repeat(43));
  for (const dead of [link, late, forged]) {
    const { status, to, fragment } = await follow(dead);
    expect(status).toBe(303);
    expect(to.origin + to.pathname + to.search).toBe(APP);
    expect(Object.fromEntries(fragment)).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    });
  }
});

test('a link of one type is refused as another type', async () => {
  const { link } = await PATHS.signup();
  for (const type of ['recovery', 'magiclink', 'invite', 'email_change', 'sms', 'nonsense', '']) {
    const other = new URL(link);
    other.searchParams.set('type', type);
    expect((await follow(other)).fragment.get('error'), type).toBe('access_denied');
  }
  expect((await follow(link)).fragment.get('access_token')).not.toBeNull();
});

test('a HEAD request for a link spends nothing', async () => {
  const { link } = await PATHS.signup();
  expect((await follow(link, 'HEAD')).status).toBe(204);
  expect((await follow(link)).fragment.get('access_token')).not.toBeNull();
});

test('of fifty clients that follow one link at once, one gets a session', async () => {
  const { link } = await PATHS.magiclink();
  const all = await Promise.all(Array.from({ length: 50 }, () => follow(link)));
  expect(all.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1);
});

test('attempts at links are counted by network address', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.77' };
  for (let attempt = 1; attempt <= 60; attempt += 1) {
    await callAuth(server, 'POST', '/verify', { type: 'signup', token_hash: 'x' }, headers);
  }
  const response = await server.request('/auth/v1/verify?token=x&type=signup', { headers });
  expect(response.headers.get('location')).toContain('error_code=over_request_rate_limit');
});

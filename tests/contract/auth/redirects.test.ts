import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { callAuth } from './support/call-auth.ts';
import { redirectPayloads } from './support/redirect-payloads.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const LISTED = 'https://app.example.org/welcome';
const { clock, server } = await startAuthByMail({ REDIRECT_ALLOWLIST: `${LISTED}, reunite-app://signed-in` });
const payloads = redirectPayloads(server.url, LISTED);

/** Every address in a mail, in either of its forms. */
function addressesIn({ text, html = '' }: { readonly text: string; readonly html?: string }): string[] {
  return [...`${text} ${html.replaceAll('&amp;', '&')}`.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"<]+/gi)].map(
    ([url]) => url,
  );
}

test('there are at least 200 ways to request another site [B17]', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(200);
});

test('no email links outside the configured origin, whatever the request names [B17]', async () => {
  for (let at = 0; at < payloads.length; at += 25) {
    await Promise.all(
      payloads.slice(at, at + 25).map(async (payload) => {
        const email = anEmail();
        const asked = await callAuth(server, 'POST', `/otp?redirect_to=${encodeURIComponent(payload.toWellFormed())}`, {
          email,
        });
        expect(asked.status).toBe(200);
        const addresses = addressesIn(await server.delivery.takeEmailTo(email));
        expect(addresses.length).toBeGreaterThan(0);
        for (const address of addresses) {
          expect(address.startsWith(`${server.url}/auth/callback#`), `${payload} → ${address}`).toBe(true);
        }
      }),
    );
  }
});

test('no followed link leads anywhere but to the configured origin [B17]', async () => {
  for (const payload of payloads) {
    const query = new URLSearchParams({ token: 'x', type: 'signup', redirect_to: payload });
    const response = await server.request(`/auth/v1/verify?${query}`);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')?.startsWith(`${server.url}/`), payload).toBe(true);
  }
});

test('listed redirects are compared letter for letter, and our own pages are allowed', async () => {
  for (const wanted of [LISTED, 'reunite-app://signed-in', `${server.url}/auth?reset=true`, `${server.url}/item/x`]) {
    const query = new URLSearchParams({ token: 'x', type: 'signup', redirect_to: wanted });
    const response = await server.request(`/auth/v1/verify?${query}`);
    expect(response.headers.get('location')?.split('#')[0]).toBe(wanted);
  }
});

test.each(['/signup', '/otp', '/recover', '/resend'])(
  'request headers do not influence the email of %s [B17]',
  async (path) => {
    const email = anEmail();
    const password = 'correct horse';
    if (path === '/recover' || path === '/resend') {
      await callAuth(server, 'POST', '/signup', { email, password });
      await server.delivery.takeEmailTo(email);
      clock.advance(60_000);
    }
    const forged = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Port': '1',
      Forwarded: 'host=evil.example;proto=https',
      'X-Original-Host': 'evil.example',
      Origin: 'https://evil.example',
      Referer: 'https://evil.example/auth',
    };
    const asked = await callAuth(server, 'POST', path, { type: 'signup', email, password }, forged);
    expect(asked.status).toBe(200);
    const mail = await server.delivery.takeEmailTo(email);
    for (const address of addressesIn(mail)) expect(new URL(address).origin).toBe(server.url);
    expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toContain('evil');
  },
);

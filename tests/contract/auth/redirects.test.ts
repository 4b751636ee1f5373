import { expect, test } from 'vitest';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { holdTime } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { ANSWERING_SOONER } from './support/answer-sooner.ts';
import { callAuth } from './support/call-auth.ts';
import { redirectPayloads } from './support/redirect-payloads.ts';

const LISTED = 'https://app.example.org/welcome';
const database = await createTestDatabase();
const clock = holdTime();
const server = await startTestServer(database, {
  auth: ANSWERING_SOONER,
  clock,
  delivery: catchDelivery({ hasSms: false }),
  environment: { REDIRECT_ALLOWLIST: `${LISTED}, reunite-app://signed-in` },
});
const payloads = redirectPayloads(server.url, LISTED);

/** Every address in a mail, in either of its forms. */
function addressesIn({ text, html = '' }: { readonly text: string; readonly html?: string }): string[] {
  return [...`${text} ${html.replaceAll('&amp;', '&')}`.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"<]+/gi)].map(
    ([url]) => url,
  );
}

test('there are at least 200 ways to ask for another site', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(200);
});

test('no mail leads anywhere but to the configured origin, whatever it was asked to', async () => {
  for (let at = 0; at < payloads.length; at += 25) {
    await Promise.all(
      payloads.slice(at, at + 25).map(async (payload) => {
        const email = anEmail();
        const answer = await callAuth(
          server,
          'POST',
          `/otp?redirect_to=${encodeURIComponent(payload.toWellFormed())}`,
          {
            email,
          },
        );
        expect(answer.status).toBe(200);
        const addresses = addressesIn(await server.delivery.takeEmailTo(email));
        expect(addresses.length).toBeGreaterThan(0);
        for (const address of addresses) {
          expect(address.startsWith(`${server.url}/auth/callback#`), `${payload} → ${address}`).toBe(true);
        }
      }),
    );
  }
});

test('no followed link leads anywhere but to the configured origin', async () => {
  for (const payload of payloads) {
    const query = new URLSearchParams({ token: 'x', type: 'signup', redirect_to: payload });
    const response = await server.request(`/auth/v1/verify?${query}`);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')?.startsWith(`${server.url}/`), payload).toBe(true);
  }
});

test('what the operator listed is followed letter for letter, and so is a page of our own', async () => {
  for (const wanted of [LISTED, 'reunite-app://signed-in', `${server.url}/auth?reset=true`, `${server.url}/item/x`]) {
    const query = new URLSearchParams({ token: 'x', type: 'signup', redirect_to: wanted });
    const response = await server.request(`/auth/v1/verify?${query}`);
    expect(response.headers.get('location')?.split('#')[0]).toBe(wanted);
  }
});

test.each(['/signup', '/otp', '/recover', '/resend'])(
  'the headers of whoever asks have no say in the mail of %s',
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
    const answer = await callAuth(server, 'POST', path, { type: 'signup', email, password }, forged);
    expect(answer.status).toBe(200);
    const mail = await server.delivery.takeEmailTo(email);
    for (const address of addressesIn(mail)) expect(new URL(address).origin).toBe(server.url);
    expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toContain('evil');
  },
);

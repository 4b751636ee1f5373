import { expect, test } from 'vitest';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { startAuthByMail } from './support/start-auth-by-mail.ts';

const { database, clock, server } = await startAuthByMail();

const languageOf = async (email: string) => {
  const [account] = await database.query<{ language: string | null }>(
    `select profile.language from public.profiles as profile join auth.users as account on account.id = profile.id
       where coalesce(account.email, account.claimed_email) = $1`,
    [email],
  );
  return account?.language ?? null;
};
const headOf = ({ html = '' }: { readonly html?: string }) => /<html[^>]*>/.exec(html)?.[0];
const password = 'correct horse';

async function register(headers: Readonly<Record<string, string>>): Promise<string> {
  const email = anEmail();
  await callAuth(server, 'POST', '/signup', { email, password }, headers);
  const token = codeIn(await server.delivery.takeEmailTo(email));
  expect((await callAuth(server, 'POST', '/verify', { email, token, type: 'signup' }, headers)).status).toBe(200);
  return email;
}

test.each([
  [{ 'Accept-Language': 'he-IL, en;q=0.5' }, 'he'],
  [{ 'Accept-Language': 'en', Cookie: 'language=ja' }, 'ja'],
  [{ 'Accept-Language': 'pt-PT, en;q=0.5' }, 'pt-BR'],
  [{ 'Accept-Language': '__proto__, */*, x' }, null],
])('an account that is made with %o has the language %s', async (headers, language) => {
  expect(await languageOf(await register(headers))).toBe(language);
});

test('an account is written to in its own language, also where a stranger asks for the email', async () => {
  const email = await register({ 'Accept-Language': 'he' });
  const stranger = { 'Accept-Language': 'de', Cookie: 'language=de' };
  clock.advance(60_000);
  await callAuth(server, 'POST', '/recover', { email }, stranger);
  expect(headOf(await server.delivery.takeEmailTo(email))).toBe('<html lang="he" dir="rtl">');
  clock.advance(60_000);
  await callAuth(server, 'POST', '/otp', { email, create_user: false }, stranger);
  expect(headOf(await server.delivery.takeEmailTo(email))).toBe('<html lang="he" dir="rtl">');
  // A new device is told of in the account's language, and does not change it.
  await callAuth(server, 'POST', '/token?grant_type=password', { email, password }, stranger);
  expect(headOf(await server.delivery.takeEmailTo(email))).toBe('<html lang="he" dir="rtl">');
  expect(await languageOf(email)).toBe('he');
});

test('the device that asks is named in the language of the email, and what the browser is called stays', async () => {
  const email = await register({ 'Accept-Language': 'he' });
  const sentTo = async (agent: string) => {
    clock.advance(60_000);
    await callAuth(server, 'POST', '/otp', { email, create_user: false }, { 'User-Agent': agent });
    return (await server.delivery.takeEmailTo(email)).text;
  };
  const chrome =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36';
  expect(await sentTo(chrome)).toContain('\u2068Chrome\u2069 ב־\u2068Android\u2069');
  expect(await sentTo('curl/8.14.1')).toContain('מכשיר לא ידוע');
});

test('an account without a language gets that of its next sign-in', async () => {
  const { email } = await registerOwner(server, { phone: '', password });
  expect(await languageOf(email)).toBe(null);
  await callAuth(server, 'POST', '/token?grant_type=password', { email, password }, { 'Accept-Language': 'fr' });
  expect(await languageOf(email)).toBe('fr');
});

test('an account follows what its owner chose in the browser at the next refresh, and not what a browser asks for', async () => {
  const { email, session } = await registerOwner(server, { phone: '' });
  let { refresh_token } = session;
  const refresh = async (headers: Readonly<Record<string, string>>) => {
    const { status, body } = await callAuth(
      server,
      'POST',
      '/token?grant_type=refresh_token',
      { refresh_token },
      headers,
    );
    expect(status).toBe(200);
    refresh_token = body.refresh_token;
    return languageOf(email);
  };
  expect(await refresh({ 'Accept-Language': 'fr' })).toBe('fr');
  expect(await refresh({ 'Accept-Language': 'de' })).toBe('fr');
  expect(await refresh({ 'Accept-Language': 'de', Cookie: 'language=he' })).toBe('he');
  expect(await refresh({ Cookie: 'language=ko' }), 'owners’ letters are not in it').toBe('he');
});

test('its owner alone reads and changes it, and an export has it', async () => {
  const [owner, other] = [await registerOwner(server, { phone: '' }), await registerOwner(server, { phone: '' })];
  const change = (client: typeof owner.client) =>
    client.from('profiles').update({ language: 'uk' }).eq('id', owner.user.id).select('language');
  expect((await change(other.client)).data).toEqual([]);
  expect((await change(owner.client)).data).toEqual([{ language: 'uk' }]);
  const { data } = await owner.client.rpc('export_my_data');
  expect(data).toMatchObject({ profile: { language: 'uk' } });
  expect(
    (
      await owner.client
        .from('profiles')
        .update({ language: 'x'.repeat(99) })
        .eq('id', owner.user.id)
    ).error?.code,
  ).toBe('23514');
});

test.each([
  ['he', '<html lang="he" dir="rtl">'],
  // Owners' screens are not in it.
  ['ko', '<html lang="en" dir="ltr">'],
])('whose language is unknown is written to in DEFAULT_LANGUAGE=%s as %s', async (tag, head) => {
  const set = await startTestServer(database, { environment: { DEFAULT_LANGUAGE: tag } });
  const email = anEmail();
  await callAuth(set, 'POST', '/signup', { email, password });
  expect(headOf(await set.delivery.takeEmailTo(email))).toBe(head);
  const page = await (await set.request('/language')).text();
  expect(page, 'pages of finders are in all languages').toContain(`<html lang="${tag}"`);
});

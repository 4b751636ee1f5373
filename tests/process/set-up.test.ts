import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readStoredSecrets } from '#server/start/secrets.ts';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';
import { kill, startUnset, submit } from './start-unset.ts';

const mailServer = await startMailServer();
afterAll(() => mailServer.close());

const MAIL = {
  host: '127.0.0.1',
  encryption: 'none',
  port: String(mailServer.port),
  user: 'olive',
  from: 'Reunite <noreply@lost.example.org>',
};

async function begin(environment: Readonly<Record<string, string>> = {}) {
  const dataDirectory = join(await temporaryFolder(), 'data');
  const port = await ownPort();
  const service = await startUnset({ dataDirectory, port, environment });
  onTestFinished(() => kill(service));
  return { ...service, dataDirectory, port, url: `http://localhost:${port}`, address: service.address ?? '' };
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('from an empty folder and no settings to the first sign-up, and a second start without the page [J66]', async () => {
  const { address, url, port, dataDirectory, printed, ready } = await begin();
  expect(await modeOf(join(dataDirectory, 'secrets.json'))).toBe(0o600);
  expect(await readdir(dataDirectory)).toEqual(['secrets.json']);

  const notice = await fetch(url);
  expect([notice.status, await notice.text()]).toEqual([503, expect.stringContaining('Reunite is being set up')]);
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  const form = await (await fetch(address)).text();
  expect(form).toContain(`value="${url}"`);
  expect(form.match(/<script/g), 'the page’s own, which tries the address').toHaveLength(1);
  const through = async (...addresses: readonly string[]) =>
    (await fetch(address, { headers: { 'X-Forwarded-For': addresses.join(', ') } })).text();
  expect(form).toContain('without a proxy that names your address');
  expect(await through('203.0.113.7', '10.0.0.1')).toContain('says that your address is 203.0.113.7.');
  expect(await through('<script>', '10.0.0.1')).toContain('without a proxy that names your address');

  const typed = { ...MAIL, address: url, to: 'me@example.com' };
  const wrong = await submit(address, { ...typed, password: 'typed-wrong', action: 'test' });
  expect(await wrong.text()).toContain('didn’t accept the user name and password');
  const tried = await (await submit(address, { ...typed, password: 'pa ss', action: 'test' })).text();
  expect(tried).toContain('Check the inbox of me@example.com');
  expect(tried, 'the password never goes back').not.toContain('pa ss');
  expect(mailServer.arrived.map(({ recipients }) => recipients)).toEqual([['me@example.com']]);
  const bad = await submit(address, { ...typed, address: '"><script>alert(1)</script>', action: 'save' });
  expect([bad.status, await bad.text()]).toEqual([422, expect.stringContaining('value="&quot;&gt;&lt;script&gt;')]);
  expect(await readdir(dataDirectory)).toEqual(['secrets.json']);

  // The password is the one that was typed before.
  const saved = await submit(address, { ...typed, password: '', action: 'save' });
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/']);
  const waiting = await (await fetch(url)).text();
  expect(waiting).toContain('<noscript><meta http-equiv="refresh" content="2;url=/"></noscript>');
  expect(waiting).toContain(`href="${url}/"`);
  const service = await ready;
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  expect((await fetch(address)).status).toBe(404);
  expect(await (await fetch(url)).text()).toContain('Never lose your belongings again');
  expect(await modeOf(join(dataDirectory, 'settings.json'))).toBe(0o600);

  const secrets = readStoredSecrets(dataDirectory);
  const { auth } = createClient(url, secrets?.publishableKey ?? '', { auth: { persistSession: false } });
  const email = anEmail();
  expect((await auth.signUp({ email, password: 'correct horse' })).error).toBeNull();
  const mail = mailServer.arrived.find(({ recipients }) => recipients.includes(email))?.mail;
  expect(mail?.from?.address).toBe('noreply@lost.example.org');
  const verified = await auth.verifyOtp({ email, token: codeIn({ text: mail?.text ?? '' }), type: 'signup' });
  expect(verified.data.user?.email).toBe(email);
  let listed = '';
  const write = (text: string) => (listed += text);
  const env = { NODE_ENV: 'production', DATA_DIRECTORY: dataDirectory };
  expect(await runCommandLine(['users', 'list'], { env, stdout: { write }, stderr: { write } }), listed).toBe(0);
  expect(listed, 'the command line knows the address and the secret key').toContain(email);
  expect(await service.end('SIGTERM')).toBe(0);

  const again = await startUnset({ dataDirectory, port, environment: { MAIL_FROM: 'other@lost.example.org' } });
  onTestFinished(() => kill(again));
  expect(again.address).toBeNull();
  await auth.resetPasswordForEmail(email);
  await expect.poll(() => mailServer.arrived.at(-1)?.mail.from?.address).toBe('other@lost.example.org');

  const logs = printed() + again.printed();
  const { jwtKeys, ...others } = secrets ?? {};
  for (const secret of [
    ...Object.values(others),
    String(jwtKeys?.keys[0]?.d),
    'typed-wrong',
    'pa ss',
    'pa%20ss',
    MAIL.from,
  ]) {
    expect(logs).not.toContain(secret);
  }
});

test('of fifty forms at once one wins, before several processes are started [J66]', async () => {
  const { address, url, dataDirectory, ready, printed } = await begin({ WEB_PROCESSES: '2' });
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const form = { ...MAIL, address: url, password: 'pa ss', from: `a${index}@lost.example.org`, action: 'save' };
      const { status, headers } = await submit(address, form);
      return { index, status, location: headers.get('location') };
    }),
  );
  const won = statuses.filter(({ status }) => status === 303);
  expect(won).toHaveLength(1);
  expect(statuses.filter(({ status }) => status === 409)).toHaveLength(49);
  const stored = JSON.parse(await readFile(join(dataDirectory, 'settings.json'), 'utf8'));
  expect(stored).toEqual({
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '0',
    SMTP_URL: `smtp://olive:pa%20ss@127.0.0.1:${mailServer.port}`,
    MAIL_FROM: `a${won[0]?.index}@lost.example.org`,
  });
  const late = await submit(address, { ...MAIL, address: 'https://evil.example', password: 'x', action: 'save' });
  expect(late.status).toBe(409);
  const service = await ready;
  await expect.poll(() => printed().split('"A process serves."').length - 1).toBe(2);
  expect((await submit(address, { action: 'save' })).status).not.toBe(303);
  expect(JSON.parse(await readFile(join(dataDirectory, 'settings.json'), 'utf8'))).toEqual(stored);
  expect(await service.end('SIGTERM')).toBe(0);
});

test('without its token the page is nowhere, and only what is missing is asked [J66]', async () => {
  const { address, url, dataDirectory, child } = await begin({
    PUBLIC_URL: 'https://lost.example.org',
    SMTP_URL: 'smtp://mail.invalid',
  });
  expect(address).toMatch(/^https:\/\/lost\.example\.org\/set-up\/[\w-]{32}$/);
  const path = new URL(address).pathname;
  const unknown = await (await fetch(`${url}/unknown`)).text();
  for (const wrong of [
    '/set-up',
    '/set-up/',
    '/set-up/x',
    `${path}x`,
    path.slice(0, -1),
    `${path}/`,
    path.toUpperCase(),
  ]) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(url + wrong, { method, ...(method === 'POST' && { body: 'action=save' }) });
      expect([response.status, await response.text()], `${method} ${wrong}`).toEqual([404, unknown]);
    }
  }
  expect(await (await fetch(url)).text()).not.toContain(path);

  const form = await (await fetch(url + path)).text();
  expect(form).toContain('name="from"');
  for (const given of ['address', 'host', 'password']) expect(form).not.toContain(`name="${given}"`);
  expect((await submit(url + path, { action: 'save', from: 'x'.repeat(20_000) })).status).toBe(400);
  const typed = { action: 'save', from: 'a@b.example', address: 'https://evil.example', host: 'evil.example' };
  expect((await submit(url + path, typed)).status).toBe(303);
  expect(JSON.parse(await readFile(join(dataDirectory, 'settings.json'), 'utf8'))).toEqual({
    MAIL_FROM: 'a@b.example',
  });
  child.kill('SIGKILL');
});

test('while it waits, a signal to stop ends it at once', async () => {
  const { child } = await begin();
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, expect, test } from 'vitest';
import { readStoredSecrets } from '#server/start/secrets.ts';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';

const mailServer = await startMailServer();
afterAll(() => mailServer.close());

test('a production server with an address and a mail server makes the rest: sessions outlast a restart, also in two processes [J65]', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const environment = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://lost.example.org',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'test@example.com',
  };
  const first = await startServiceProcess({ dataDirectory: folder, environment });
  const made = readStoredSecrets(folder);
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  const email = anEmail();
  const clientOf = ({ url }: { readonly url: string }) =>
    createClient(url, made?.publishableKey ?? '', { auth: { persistSession: false } }).auth;
  const signedUp = await clientOf(first).signUp({ email, password: 'correct horse' });
  expect(signedUp.error).toBeNull();
  const code = codeIn({ text: mailServer.arrived[0]?.mail.text ?? '' });
  const { data } = await clientOf(first).verifyOtp({ email, token: code, type: 'signup' });
  expect(data.user?.email).toBe(email);

  let printed = '';
  const write = (text: string) => (printed += text);
  const env = { ...environment, DATA_DIRECTORY: folder, SERVICE_IS_LOCAL: 'true', PORT: new URL(first.url).port };
  expect(await runCommandLine(['users', 'list'], { env, stdout: { write }, stderr: { write } }), printed).toBe(0);
  expect(printed).toContain(email);
  expect(await first.end('SIGTERM')).toBe(0);

  const second = await startServiceProcess({
    dataDirectory: folder,
    environment: { ...environment, WEB_PROCESSES: '2' },
  });
  const refreshed = await clientOf(second).refreshSession({ refresh_token: data.session?.refresh_token ?? '' });
  expect(refreshed.data.user?.email).toBe(email);
  expect(readStoredSecrets(folder)).toEqual(made);
  expect(await second.end('SIGTERM')).toBe(0);
  for (const secret of [made?.secretKey, made?.refreshTokenSecret, made?.pushKey]) {
    expect(first.output() + second.output()).not.toContain(secret);
  }
});

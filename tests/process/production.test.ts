import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createClient } from '@supabase/supabase-js';
import { afterAll, expect, test } from 'vitest';
import { makeSecrets } from '#server/start/secrets.ts';
import { codeIn } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { productionEnvironment } from '#tests/support/production-environment.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';

/** What a receiver of the SMS webhook is sent. */
interface Sms {
  readonly to: string;
  readonly text: string;
}

const mailServer = await startMailServer();
afterAll(() => mailServer.close());

const texts: Sms[] = [];
const webhookUrl = await serveLoopback(async (request, response) => {
  // Only our program posts here.
  texts.push((await json(request)) as Sms);
  response.writeHead(204).end();
});

test('a production server as its operator starts it: the code of a sign-up goes by SMS, once, and mails by SMTP; the log reports each call, and no file', async () => {
  const port = await ownPort();
  const secrets = await makeSecrets();
  const { DATABASE_URL: _none, SECRET_KEY, ...environment } = productionEnvironment({ port, secrets });
  // Secrets may come from files, as containers pass them.
  const secretKeyFile = join(await temporaryFolder(), 'secret_key');
  await writeFile(secretKeyFile, `${SECRET_KEY}\n`, { mode: 0o600 });
  const service = await startServiceProcess({
    dataDirectory: await preparedFolder(),
    port,
    environment: {
      ...environment,
      SECRET_KEY_FILE: secretKeyFile,
      LOG_LEVEL: 'info',
      EMBEDDED_POSTGRES: 'true',
      SMTP_URL: `smtp://olive:pa%20ss@127.0.0.1:${mailServer.port}`,
      SMS_WEBHOOK_URL: `${webhookUrl}/sms`,
      SMS_WEBHOOK_SECRET: 'webhook-secret-of-32-characters!',
    },
  });
  try {
    const { auth } = createClient(service.url, secrets.publishableKey, { auth: { persistSession: false } });
    const [email, phone] = [anEmail(), aPhone()];
    const signedUp = await auth.signUp({ email, password: 'correct horse', options: { data: { phone } } });
    expect(signedUp.error).toBeNull();
    expect(texts.map(({ to }) => to)).toEqual([phone]);
    const token = texts.map(codeIn).join();
    const verified = await auth.verifyOtp({ email, token, type: 'signup' });
    expect(verified.error).toBeNull();
    expect(verified.data.user?.phone).toBe(phone.slice(1));

    // The SMS proved only the phone number; a job mails the address.
    await expect.poll(() => mailServer.arrived.map(({ recipients }) => recipients)).toEqual([[email]]);
    // A code that cannot be claimed is reported before the sign-up form.
    const pageOf = async (code: string) => (await fetch(`${service.url}/auth/${code}`)).text();
    expect(await pageOf('abc')).toContain('We don’t know this sticker');
    expect(await pageOf('tgt-AAAAAAAAAAAAAAAA')).not.toContain('We don’t know this sticker');
    const page = await (await fetch(`${service.url}/faq`)).text();
    const file = /"(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    for (const path of [file, '/health/live']) expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    expect((await fetch(`${service.url}/assets/gone.js`)).status).toBe(404);

    expect(await service.end('SIGTERM')).toBe(0);
    const responded = [...service.output().matchAll(/"area":"([^"]+)","status":(\d+)/g)].map(([, ...said]) =>
      said.join(' '),
    );
    // For each sign-up it is asked whether its code can be claimed, and if not, whether it has an owner, which is logged
    // before or after the page.
    const pages = ['/rest/v1/ 200', '/rest/v1/ 200', '/auth/ 200', '/rest/v1/ 200', '/auth/ 200', '/ 200'];
    expect(responded.toSorted()).toEqual(['/auth/v1/ 200', '/auth/v1/ 200', ...pages, '/assets/ 404'].toSorted());
    // By itself: six digits of a time may be the same.
    expect(service.output()).not.toMatch(new RegExp(`(?<!\\d)${token}(?!\\d)`));
    expect(service.output()).not.toContain(email);
  } finally {
    await service.end('SIGKILL');
  }
});

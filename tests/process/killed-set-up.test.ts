import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { expect, onTestFinished, test } from 'vitest';
import { readStoredSecrets } from '#server/start/secrets.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { kill, startUnset, submit } from './start-unset.ts';

const FORM = {
  host: 'mail.invalid',
  encryption: 'none',
  from: 'a@lost.example.org',
  operator: 'Olive@lost.example.org',
  operatorPassword: 'olive horse battery',
  action: 'save',
};

// From before the form has arrived, over the file and the database that is being made, to a service that serves.
test.each([0, 3, 8, 20, 60, 300, 1_500, 4_000])(
  'killed %i ms after the form was sent, it goes on from where it was [J66]',
  async (ms) => {
    const dataDirectory = join(await temporaryFolder(), 'data');
    const port = await ownPort();
    const form = { ...FORM, address: `http://localhost:${port}` };
    const first = await startUnset({ dataDirectory, port });
    onTestFinished(() => kill(first));
    const secrets = await readFile(join(dataDirectory, 'secrets.json'), 'utf8');
    const submitted = submit(first.address ?? '', form).then(
      ({ status }) => status,
      () => null,
    );
    await pause(ms);
    await kill(first);

    const wasStored = existsSync(join(dataDirectory, 'settings.json'));
    if ((await submitted) === 303) expect(wasStored, 'what was confirmed is stored').toBe(true);
    const second = await startUnset({ dataDirectory, port });
    onTestFinished(() => kill(second));
    expect(second.address === null, 'the page shows until it was stored').toBe(wasStored);
    if (second.address !== null) {
      expect(second.address).not.toBe(first.address);
      expect((await submit(second.address, form)).status).toBe(303);
    }
    const service = await second.ready;
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(JSON.parse(await readFile(join(dataDirectory, 'settings.json'), 'utf8'))).toMatchObject({
      PUBLIC_URL: form.address,
      MAIL_FROM: FORM.from,
    });
    expect(await readFile(join(dataDirectory, 'secrets.json'), 'utf8')).toBe(secrets);
    expect(await readFile(join(dataDirectory, 'settings.json'), 'utf8')).not.toContain('FIRST_OPERATOR');
    const made = readStoredSecrets(dataDirectory);
    const session = { auth: { persistSession: false } };
    const operators = await createClient(service.url, made?.secretKey ?? '', session).rpc('list_operators');
    expect(operators.data).toMatchObject([{ email: 'olive@lost.example.org', has_second_factor: false }]);
    const { auth } = createClient(service.url, made?.publishableKey ?? '', session);
    const signedIn = await auth.signInWithPassword({ email: FORM.operator, password: FORM.operatorPassword });
    expect(signedIn.error).toBeNull();
    expect(await service.end('SIGTERM')).toBe(0);
  },
);

test('killed while it waits, it shows another address [J66]', async () => {
  const dataDirectory = join(await temporaryFolder(), 'data');
  const port = await ownPort();
  const first = await startUnset({ dataDirectory, port });
  await kill(first);
  const second = await startUnset({ dataDirectory, port });
  onTestFinished(() => kill(second));
  expect(second.address).not.toBe(first.address);
  expect((await fetch(first.address ?? '')).status).toBe(404);
  expect((await fetch(second.address ?? '')).status).toBe(200);
});

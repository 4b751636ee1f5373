import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const web = await startTestServer(database, { environment: { CLAIMABLE_CODES: 'issued' } });

const NOTICE = 'We don’t know this sticker';
const TAKEN = 'This sticker is already registered';
const BANNER = 'Creating an account to tag your item';

async function pageOf(path: string): Promise<string> {
  return (await web.request(path)).text();
}

test('the sign-up and the sign-in say that a code is taken, void, not issued, or malformed', async () => {
  const voided = await issueTagCode(database);
  const operator = web.client({ key: web.secrets.secretKey });
  expect((await operator.rpc('void_code', { qr_id_param: voided, reason_param: 'Stolen' })).error).toBeNull();
  for (const code of [voided, createTagCode(), 'abc']) {
    const signUp = await pageOf(`/auth/${code}`);
    expect(signUp, code).toContain(NOTICE);
    expect(signUp, code).not.toContain(BANNER);
    expect(signUp, code).not.toContain(`name="qrId" value="${code}"`);
    expect(await pageOf(`/auth?qr_id=${code}`), code).toContain(NOTICE);
    const signIn = await pageOf(`/auth/${code}?mode=login`);
    expect(signIn, code).toContain(NOTICE);
    expect(signIn, code).toContain('You can still sign in.');
  }
  const taken = (await createItem(database, await createOwner(database))).qrId;
  for (const path of [`/auth/${taken}`, `/auth?qr_id=${taken}`, `/auth/${taken}?mode=login`]) {
    const page = await pageOf(path);
    expect(page, path).toContain(TAKEN);
    expect(page, path).toContain('If you found it, open its page to reach the owner.');
    expect(page, path).not.toContain(NOTICE);
    expect(page, path).not.toContain(BANNER);
    expect(page, path).not.toContain(`name="qrId" value="${taken}"`);
  }
});

test('a code that can be claimed gets no such notice', async () => {
  const code = await issueTagCode(database);
  const signUp = await pageOf(`/auth/${code}`);
  expect(signUp).toContain(`${BANNER} with QR code: <bdi translate="no">${code}</bdi>`);
  expect(signUp).not.toContain(NOTICE);
  expect(await pageOf(`/auth/${code}?mode=login`)).not.toContain(NOTICE);
});

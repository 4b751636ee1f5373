import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

/** What the holder of a signed URL may try with it. */
const database = await createTestDatabase();
const server = await startTestServer(database);
const operator = server.client({ key: server.secrets.secretKey }).storage;
for (const bucket of ['vault', 'other']) await operator.createBucket(bucket);
const vault = operator.from('vault');
for (const name of ['mine.txt', 'folder/mine.txt', 'theirs.txt']) await vault.upload(name, `content of ${name}`);
await operator.from('other').upload('mine.txt', 'content of the other bucket');

const read = async (path: string, token: string) => {
  const response = await server.request(`/storage/v1${path}?token=${token}`, { headers: {} });
  return { status: response.status, text: await response.text() };
};
const tokenFor = async (name: string, seconds = 60) => {
  const { data } = await vault.createSignedUrl(name, seconds);
  return new URL(data?.signedUrl ?? '').searchParams.get('token') ?? '';
};

test.each([
  ...[
    'vault/theirs.txt',
    'other/mine.txt',
    'vault/mine.txt/',
    'vault//mine.txt',
    'vault/folder/mine.txt',
    'vault/Mine.txt',
  ],
  ...['vault/folder/..%2fmine.txt', 'vault/folder%2f..%2ftheirs.txt', 'other%2f..%2fvault/mine.txt'],
  ...[
    'vault/mine.txt%00',
    'vault/mine.txt%20',
    'vault/mine%252etxt',
    'vault/mine.txt%2f..%2ftheirs.txt',
    'VAULT/mine.txt',
    'vault%00/mine.txt',
  ],
  ...['vault/mine.txt%3ftoken=x', 'vault/%6dine.txt%23', 'vault\\mine.txt', 'vault%5cmine.txt'],
])('a token opens no other path: %s [K47]', async (path) => {
  const token = await tokenFor('mine.txt');
  for (const route of ['/object/sign/', '/render/image/sign/']) {
    const { status, text } = await read(`${route}${path}`, token);
    expect([status >= 400 && status < 500, text.includes('content of')]).toEqual([true, false]);
  }
});

test('and none of the other routes [K47]', async () => {
  const token = await tokenFor('mine.txt');
  for (const route of [
    '/object/',
    '/object/public/',
    '/object/authenticated/',
    '/object/info/',
    '/object/info/public/',
    '/render/image/public/',
    '/render/image/authenticated/',
    '/object/upload/sign/',
  ]) {
    const { status, text } = await read(`${route}vault/mine.txt`, token);
    expect([route, status >= 400 && status < 500, text.includes('content of')]).toEqual([route, true, false]);
  }
  expect((await read('/object/sign/vault/mine.txt', token)).text).toBe('content of mine.txt');
});

test('a token that is forged or changed opens nothing [K47]', async () => {
  const claims = { url: 'vault/mine.txt', scope: 'download' };
  const sign = (key: string, alg: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(key));
  const own = await tokenFor('mine.txt');
  const [header = '', payload = '', signature = ''] = own.split('.');
  const decoded = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const token of [
    new UnsecuredJWT(claims).setIssuedAt().setExpirationTime('1h').encode(),
    `${encode({ alg: 'none' })}.${payload}.`,
    await sign(server.secrets.publishableKey, 'HS256'),
    await sign('x'.repeat(64), 'HS512'),
    await server.token(claims),
    [header, encode({ ...decoded, exp: decoded.exp + 9e9 }), signature].join('.'),
    [header, encode({ ...decoded, exp: undefined }), signature].join('.'),
    [header, encode({ ...decoded, url: 'vault/theirs.txt' }), signature].join('.'),
    `${own}&token=${own}`,
    'x'.repeat(10_000),
  ]) {
    for (const path of ['mine.txt', 'theirs.txt']) {
      if (token.startsWith(own) && path === 'mine.txt') continue;
      const { status, text } = await read(`/object/sign/vault/${path}`, token);
      expect([status >= 400 && status < 500, text.includes('content of')]).toEqual([true, false]);
    }
  }
});

test.each([0, -1, 1.5, 31_536_001, 1e300, '0', '1e3', '', true, null])(
  'a life of %s seconds is refused [K47]',
  async (expiresIn) => {
    const response = await server.request('/storage/v1/object/sign/vault/mine.txt', {
      method: 'POST',
      headers: { apikey: server.secrets.secretKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ expiresIn }),
    });
    expect(response.status).toBe(400);
  },
);

test('a URL of a removed object does not open another one that takes its name [K47]', async () => {
  await vault.upload('again.txt', 'content of the first');
  const token = await tokenFor('again.txt', 3_600);
  await vault.upload('again.txt', 'content of the first, replaced', { upsert: true });
  expect((await read('/object/sign/vault/again.txt', token)).text).toBe('content of the first, replaced');
  await vault.remove(['again.txt']);
  await vault.upload('again.txt', 'content of the second');
  expect((await read('/object/sign/vault/again.txt', token)).text).toContain('NoSuchKey');
});

test.each([
  ['is deleted', 'delete from auth.users where id = $1'],
  ['is banned', "update auth.users set banned_until = 'infinity' where id = $1"],
])('an upload URL is worth nothing after the account that signed it %s [K47]', async (_, end) => {
  const { client, user } = await registerOwner(server);
  const name = `${user.id}/late.txt`;
  await database.query(`
    drop policy if exists "own folder" on storage.objects;
    create policy "own folder" on storage.objects for insert to authenticated
      with check (bucket_id = 'vault' and name like auth.uid() || '/%')`);
  const { data, error } = await client.storage.from('vault').createSignedUploadUrl(name);
  expect(error).toBeNull();
  await database.query(end, [user.id]);
  const visitor = server.client().storage.from('vault');
  const late = await visitor.uploadToSignedUrl(name, data?.token ?? '', 'too late');
  expect(late.error).not.toBeNull();
  expect(Number((late.error as { statusCode?: string } | null)?.statusCode)).toBeLessThan(500);
  expect((await vault.exists(name)).data).toBe(false);
});

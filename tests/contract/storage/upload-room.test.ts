import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anAddress } from '#tests/support/network-address.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase();
const dataDirectory = await temporaryFolder();
const server = await startTestServer(database, { dataDirectory });
const MIB = 1024 * 1024;
const arriving = async () => (await readdir(join(dataDirectory, 'storage/arriving'))).length;

/** Begins an upload that announces so many bytes and sends one. */
function begin(method: string, path: string, address: string, bytes: number) {
  const sent = request(`${server.url}/storage/v1${path}`, {
    method,
    headers: {
      'X-Forwarded-For': address,
      'Content-Length': bytes,
      'Content-Type': 'text/plain',
      apikey: server.secrets.secretKey,
      Authorization: `Bearer ${server.secrets.secretKey}`,
    },
  });
  sent.on('error', () => undefined);
  whenDone(() => sent.destroy());
  sent.write('x');
  return sent;
}

test('uploads of an address occupy so much together, also by signed URLs; beyond it they are refused, and others go on [I57]', async () => {
  const service = server.client({ key: server.secrets.secretKey }).storage;
  await service.createBucket('files');
  const { data } = await service.from('files').createSignedUploadUrl('signed.txt');
  const address = anAddress();
  const held = [
    begin('POST', '/object/files/a.txt', address, 30 * MIB),
    begin('PUT', `/object/upload/sign/files/signed.txt?token=${data?.token}`, address, 30 * MIB),
  ];
  await expect.poll(arriving).toBe(2);

  const body = Buffer.alloc(5 * MIB);
  const refused = await server
    .client({ key: server.secrets.secretKey, address })
    .storage.from('files')
    .upload('b.txt', body);
  expect(refused.error).toMatchObject({
    status: 503,
    code: 'ServiceUnavailable',
    message: 'Too many uploads at once. Please try again.',
  });
  expect((await service.from('files').upload('c.txt', body)).error).toBeNull();

  for (const upload of held) upload.destroy();
  await expect.poll(arriving).toBe(0);
  const again = await server
    .client({ key: server.secrets.secretKey, address })
    .storage.from('files')
    .upload('b.txt', body);
  expect(again.error).toBeNull();
});

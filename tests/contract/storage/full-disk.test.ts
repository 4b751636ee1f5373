import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { smallDisk } from '#tests/support/small-disk.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { aPicture, aPictureName } from './support/pictures.ts';

/** A file system of one megabyte in the place of the data folder. */
const folder = (await smallDisk(1)) ?? '';

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(folder, 'storage'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test.skipIf(folder === '')(
  'on a full disk no lost upload is acknowledged, and uploads work again once there is room [E41] [I57]',
  async () => {
    const database = await createTestDatabase();
    const server = await startTestServer(database, { dataDirectory: folder });
    const service = server.client({ key: server.secrets.secretKey }).storage;
    await service.createBucket('files');
    const files = service.from('files');
    const rows = () => database.query<{ name: string }>('select name, version from storage.objects order by name');
    const expectOnly = async (...names: string[]) => {
      const kept = await rows();
      expect(kept.map(({ name }) => name)).toEqual(names);
      expect(await storedFiles()).toHaveLength(names.length);
    };
    const full = { status: 507, code: 'InsufficientStorage' };
    const first = randomBytes(700_000);
    expect((await files.upload('first.bin', first)).error).toBeNull();

    expect((await files.upload('second.bin', randomBytes(700_000))).error).toMatchObject(full);
    expect((await files.copy('first.bin', 'copy.bin')).error).toMatchObject(full);
    const owner = await createOwner(database);
    const noise = { width: 900, height: 900, channels: 3 as const };
    const picture = await aPicture(900, 900)
      .composite([{ input: randomBytes(900 * 900 * 3), raw: noise }])
      .jpeg({ quality: 40 })
      .toBuffer();
    const pictures = server.client({ token: await server.token(owner.caller.claims) }).storage.from('avatars');
    expect((await pictures.upload(aPictureName(), picture)).error).toMatchObject(full);
    await expectOnly('first.bin');
    const kept = await files.download('first.bin');
    expect(Buffer.from((await kept.data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(first)).toBe(true);

    expect((await files.remove(['first.bin'])).error).toBeNull();
    await expect.poll(storedFiles).toEqual([]);
    expect((await files.upload('second.bin', first)).error).toBeNull();
    await expectOnly('second.bin');
  },
);

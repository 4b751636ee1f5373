import { randomBytes } from 'node:crypto';
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { reserveOf } from '#server/data-folder/disk-reserve.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { UPLOADS } from '#server/storage/uploads/upload-places.ts';
import { aPicture, aPictureName } from '#tests/contract/storage/support/pictures.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { prepareData } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { smallDisk } from '#tests/support/small-disk.ts';
import { whenDone } from '#tests/support/when-done.ts';

const MIB = 1024 * 1024;
const SEGMENT = 16 * MIB;
const ADDRESSES = 8;
const EACH = 3;
const PHOTO = 12 * MIB;
const UNFINISHED = randomBytes(PHOTO - 1);
const picture = await aPicture().jpeg().toBuffer();

const folder = await smallDisk(300);

/** The service with its PostgreSQL on a disk of 300 MiB, an owner who is signed in, and an item. */
async function startOnSmallDisk(dataDirectory: string) {
  await prepareData(dataDirectory);
  const { secretKey, publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
  const metricsPort = await ownPort();
  const environment = { TRUSTED_PROXIES: '1', METRICS_PORT: String(metricsPort) };
  const service = await startServiceProcess({ dataDirectory, environment });
  whenDone(() => service.end('SIGTERM'));
  const open = (key: string) =>
    createClient(service.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { headers: { 'X-Forwarded-For': anAddress() } },
    });

  const account = { email: anEmail(), password: 'correct horse' };
  const { data } = await open(secretKey).auth.admin.createUser({ ...account, email_confirm: true });
  const owner = open(publishableKey);
  expect((await owner.auth.signInWithPassword(account)).error).toBeNull();
  const row = { qr_id: createTagCode(), user_id: data.user?.id, item_type: 'keys', item_name: 'Keys' };
  expect((await owner.from('items').insert(row)).error).toBeNull();
  const code = row.qr_id;

  /** Posts the form of a browser without scripts. Resolves with where it leads. */
  async function writeWithPhoto(body: string): Promise<string | null> {
    const form = new FormData();
    form.append('body', body);
    form.append('photo', new Blob([Uint8Array.from(picture)]), 'photo.jpg');
    const response = await fetch(`${service.url}/item/${code}/message`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { 'X-Forwarded-For': anAddress(), 'Sec-Fetch-Site': 'same-origin' },
    });
    return response.headers.get('location');
  }

  return {
    service,
    code,
    owner,
    writeWithPhoto,
    uploadPicture: () => owner.storage.from('avatars').upload(aPictureName(), picture, { contentType: 'image/jpeg' }),
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    /** Everything that needs the database goes on, and a finder's text arrives. */
    async expectWell(text: string) {
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
      expect((await open(publishableKey).auth.signInWithPassword(account)).error).toBeNull();
      expect((await owner.from('items').update({ item_name: text }).eq('qr_id', code)).error).toBeNull();
      const location = await writeWithPhoto(text);
      expect(location).toContain('?sent=1');
      const { data: found } = await owner.from('messages').select('body').eq('body', text);
      expect(found).toEqual([{ body: text }]);
      return location;
    },
  };
}

/** Sends all of a photo but its end, which holds what the server keeps of it. Resolves once it is sent or cut. */
function holdPhoto(url: string, code: string, address: string): Promise<Socket> {
  const head = '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n';
  const socket = connect(Number(new URL(url).port), 'localhost');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(
    `POST /item/${code}/message HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nSec-Fetch-Site: same-origin\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${PHOTO + head.length + 9}\r\n\r\n${head}`,
  );
  return new Promise((done) => {
    socket.once('close', () => done(socket));
    socket.write(UNFINISHED, () => done(socket));
  });
}

test.skipIf(folder === null)(
  'strangers’ photos and a full disk stop neither the database nor any text [I57]',
  async () => {
    const dataDirectory = folder ?? '';
    const { service, code, ...here } = await startOnSmallDisk(dataDirectory);
    const free = async () => {
      const { bavail, bsize } = await statfs(dataDirectory);
      return bavail * bsize;
    };
    const { blocks, bsize } = await statfs(dataDirectory);
    const reserve = reserveOf(blocks * bsize);
    await here.expectWell('before');

    // From each address to codes that nobody has, and to one that somebody has.
    const held = Array.from({ length: ADDRESSES }, () => anAddress()).flatMap((address, at) =>
      Array.from({ length: EACH }, () => holdPhoto(service.url, at % 2 === 0 ? createTagCode() : code, address)),
    );
    let isOver = false;
    const sockets = Promise.all(held).finally(() => {
      isOver = true;
    });
    let least = await free();
    for (let round = 0; !isOver || round < 5; round += 1) {
      await here.expectWell(`meanwhile ${round}`);
      least = Math.min(least, await free());
    }
    const arriving = await readdir(join(dataDirectory, 'storage/arriving'));
    expect(arriving.length).toBeLessThanOrEqual(UPLOADS.finder.inAll / PHOTO);
    expect(least).toBeGreaterThan(reserve - 8 * MIB);
    for (const socket of await sockets) socket.destroy();
    await expect.poll(() => readdir(join(dataDirectory, 'storage/arriving'))).toEqual([]);

    // Whatever fills it: below the reserve uploads are refused in words, and everything else goes on.
    const filler = join(dataDirectory, 'filler');
    // PostgreSQL may remove a segment of its log meanwhile.
    await writeFile(filler, Buffer.alloc((await free()) - reserve + 2 * SEGMENT));
    for (const attempt of [1, 2]) {
      expect((await here.uploadPicture()).error).toMatchObject({
        status: 507,
        statusCode: '507',
        code: 'InsufficientStorage',
        message: 'The server has no room for files at the moment',
      });
      expect(await here.expectWell(`full ${attempt}`)).toBe(`/item/${code}?sent=1&photo=full#message`);
    }
    const page = await (await fetch(`${service.url}/item/${code}?sent=1&photo=full`)).text();
    expect(page).toContain('Your message was sent, but we can’t take photos right now.');
    // Lines of the log arrive a moment later.
    await expect.poll(() => service.output()).toContain('The disk of DATA_DIRECTORY is almost full');
    expect(service.output().match(/The disk of DATA_DIRECTORY is almost full/g)).toHaveLength(1);
    const measured = await here.metrics();
    const figure = (name: string) => Number(measured.split(`\n${name} `)[1]?.split('\n', 1)[0]);
    expect(figure('reunite_disk_free_bytes')).toBeLessThan(figure('reunite_disk_reserve_bytes'));
    expect(figure('reunite_uploads_refused_total{reason="disk"}')).toBeGreaterThanOrEqual(4);

    await rm(filler);
    expect((await here.uploadPicture()).error).toBeNull();
    expect(await here.expectWell('after')).toBe(`/item/${code}?sent=1#message`);
    expect(service.output()).not.toMatch(/PANIC|No space left/);
  },
);

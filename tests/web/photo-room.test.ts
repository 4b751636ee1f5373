import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aPicture } from '#tests/contract/storage/support/pictures.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { postForm } from './support/post-form.ts';

const database = await createTestDatabase();
const dataDirectory = await temporaryFolder();
const environment = { LIMITS: 'message_photos_per_owner=1/86400' };
const web = await startTestServer(database, { dataDirectory, environment });
const picture = await aPicture().jpeg().toBuffer();
const PHOTO = 12 * 1024 * 1024;

const arriving = async () => (await readdir(join(dataDirectory, 'storage/arriving'))).length;
const item = async () => createItem(database, await createOwner(database));

/** A request whose photo has begun to arrive and does not end. */
interface Held {
  readonly socket: Socket;
  /** The response, whether the photo has arrived or not. */
  readonly response: Promise<string>;
  /** Sends the rest of the photo, of zeros. */
  finish(): void;
}

function hold(path: string, { type, address, before = '', after = '', cookie = '' }: Record<string, string>): Held {
  const socket = connect(Number(new URL(web.url).port), 'localhost');
  whenDone(() => socket.destroy());
  socket.on('error', () => undefined);
  const begun = 65_536;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address ?? anAddress()}\r\nSec-Fetch-Site: same-origin\r\n` +
      `Content-Type: ${type}\r\nCookie: ${cookie}\r\nConnection: close\r\n` +
      `Content-Length: ${before.length + PHOTO + after.length}\r\n\r\n${before}`,
  );
  socket.write(Buffer.alloc(begun));
  return {
    socket,
    response: new Promise((done) => {
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.once('close', () => done(text));
    }),
    finish: () => void socket.write(Buffer.concat([Buffer.alloc(PHOTO - begun), Buffer.from(after)])),
  };
}

/** As a browser without scripts sends the form. */
const holdForm = (code: string, address?: string): Held =>
  hold(`/item/${code}/message`, {
    type: 'multipart/form-data; boundary=x',
    ...(address !== undefined && { address }),
    before:
      '--x\r\nContent-Disposition: form-data; name="body"\r\n\r\nI have it\r\n' +
      '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n',
    after: '\r\n--x--\r\n',
  });

async function bodiesOf({ id }: TestItem): Promise<string[]> {
  const rows = await database.query<{ body: string }>('select body from public.messages where item_id = $1', [id]);
  return rows.map(({ body }) => body);
}

test('nothing of a photo to a code without an owner is written [I57]', async () => {
  const held = [createTagCode(), 'tgt-nobody-has-this-one'].map((code) => holdForm(code));
  const real = holdForm((await item()).qrId);
  await expect.poll(arriving).toBe(1);
  for (const { finish } of [...held, real]) finish();
  for (const { response } of held) expect(await response).toMatch(/^HTTP\/1\.1 404 /);
  expect(await real.response).toContain('?sent=1&photo=refused#message');
});

test('of a photo whose owner has enough of them nothing is written, and the text arrives [I57]', async () => {
  const found = await item();
  const form = new FormData();
  form.append('body', 'The first');
  form.append('photo', new Blob([Uint8Array.from(picture)]), 'a.jpg');
  const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: web.url };
  const first = await web.request(`/item/${found.qrId}/message`, { method: 'POST', body: form, headers });
  expect(first.headers.get('location')).toBe(`/item/${found.qrId}?sent=1#message`);

  const messageId = crypto.randomUUID();
  const written = await postForm(web, `/item/${found.qrId}/message`, { body: 'By script', message_id: messageId });
  const cookie = written.headers.get('set-cookie')?.split(';')[0] ?? '';
  const byScript = hold(`/item/${found.qrId}/photo/${messageId}`, { type: 'image/jpeg', cookie });
  const byForm = holdForm(found.qrId);
  const kept = holdForm((await item()).qrId);
  await expect.poll(arriving).toBe(1);
  for (const { finish } of [byScript, byForm, kept]) finish();
  expect(await byScript.response).toMatch(/^HTTP\/1\.1 429 /);
  expect(await byForm.response).toContain('?sent=1&photo=too-many#message');
  await kept.response;
  expect((await bodiesOf(found)).sort()).toEqual(['By script', 'I have it', 'The first']);
});

test('an address has two large photos under way; with a third one its text arrives alone, and others are not delayed [I57]', async () => {
  const found = await item();
  const address = anAddress();
  const held = [holdForm(found.qrId, address), holdForm(found.qrId, address)];
  await expect.poll(arriving).toBe(2);
  const third = holdForm(found.qrId, address);
  third.finish();
  expect(await third.response).toContain('?sent=1&photo=busy#message');
  expect(await bodiesOf(found)).toEqual(['I have it']);
  const other = holdForm(found.qrId);
  await expect.poll(arriving).toBe(3);
  for (const { socket } of [...held, other]) socket.destroy();
  await expect.poll(arriving).toBe(0);
  const again = holdForm(found.qrId, address);
  await expect.poll(arriving).toBe(1);
  again.socket.destroy();
});

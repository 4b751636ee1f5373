import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhookRequest } from '#server/delivery/webhook/webhook.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { whenDone } from '#tests/support/when-done.ts';

const GUIDE = new URL('../../docs/operate/webhooks.md', import.meta.url);
const KEY = Buffer.alloc(32, 7);

/** Runs the receiver that the guide shows, as an owner would. */
async function runExample() {
  const [, program] = (await readFile(GUIDE, 'utf8')).match(/```js\n(.*?)```/s) ?? [];
  if (program === undefined) throw new Error('The guide shows no program.');
  const file = join(await temporaryFolder(), 'receiver.mjs');
  await writeFile(file, program);
  const port = await ownPort();
  const receiver = spawn(process.execPath, [file], {
    env: { PORT: String(port), WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  whenDone(async () => {
    receiver.kill();
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
  });
  const printed: string[] = [];
  receiver.stdout.on('data', (part) => printed.push(String(part)));
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp).toBe(true);
  return {
    printed: () => printed.join(''),
    send: async (request: ReturnType<typeof webhookRequest>, body = request.body) =>
      (await fetch(url, { method: 'POST', headers: request.headers, body: String(body) })).status,
  };
}

const event = (id: string, key: Buffer, now: number) =>
  webhookRequest(
    { id, type: 'message.received', happenedAt: new Date(now), data: { kind: `kind-of-${id}` } },
    key,
    now,
  );

test('the receiver of the guide takes what was signed, once, and refuses everything else', async () => {
  const { send, printed } = await runExample();
  const now = Date.now();
  const genuine = event('msg_1', KEY, now);
  expect(await send(genuine)).toBe(204);
  expect(await send(event('msg_1', KEY, now + 1_000))).toBe(204);
  expect(await send(genuine, `${genuine.body} `)).toBe(401);
  expect(await send(event('msg_2', Buffer.alloc(32, 8), now))).toBe(401);
  expect(await send(event('msg_3', KEY, now - 301_000))).toBe(401);
  expect(await send(event('msg_4', KEY, now))).toBe(204);
  await expect.poll(printed).toContain('kind-of-msg_4');
  expect(printed().match(/kind-of-msg_\d/g)).toEqual(['kind-of-msg_1', 'kind-of-msg_4']);
});

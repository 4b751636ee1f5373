import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { whenDone } from '#tests/support/when-done.ts';

const MIB = 1024 * 1024;

async function residentBytes(pid: number): Promise<number> {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

/** One masked frame that does not end its message. */
function fragment(opcode: number, length: number): Buffer {
  const head = Buffer.from([opcode, 0x80 | 126, length >> 8, length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.alloc(length, 'x')]);
}

test('strangers who fill what the server keeps for them to its bounds do not end it, and it serves others', async () => {
  const service = await startServiceProcess({
    dataDirectory: await temporaryFolder(),
    environment: { TRUSTED_PROXIES: '1' },
  });
  whenDone(() => service.end('SIGTERM'));
  const { pid = 0 } = service.child;
  const { port } = new URL(service.url);
  const { publishableKey: key } = JSON.parse(await readFile(`${service.dataDirectory}/secrets.json`, 'utf8'));
  const sockets: Socket[] = [];
  whenDone(async () => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (text: string, isAnswered: boolean): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(text);
    if (isAnswered) await new Promise((answered) => socket.once('data', answered).once('close', answered));
    return socket;
  };
  await fetch(`${service.url}/health/ready`);
  const before = await residentBytes(pid);

  for (let address = 0; address < 10; address += 1) {
    const from = `X-Forwarded-For: 10.9.0.${address}`;
    for (let count = 0; count < 60; count += 1) {
      const upgrade = `GET /realtime/v1/websocket?apikey=${key}&vsn=2.0.0 HTTP/1.1\r\nHost: here\r\n${from}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
      const socket = await open(upgrade, true);
      // As many fragments as a message may have, and as many bytes as it may have before a join.
      for (let piece = 0; piece < 127; piece += 1) socket.write(fragment(piece === 0 ? 1 : 0, 500));
      const body = `POST /auth/v1/signup HTTP/1.1\r\nHost: here\r\n${from}\r\napikey: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${MIB}\r\n\r\n`;
      (await open(body, false)).write('x'.repeat(MIB - 1));
      await open(`GET / HTTP/1.1\r\nHost: here\r\nX-Long: ${'x'.repeat(15_000)}`, false);
    }
  }
  const { status } = await fetch(`${service.url}/health/ready`);
  expect(status).toBe(200);
  expect(service.child.exitCode).toBeNull();
  // Bodies 256 MiB, unfinished messages 600 × 64 KiB and their pieces, connections and headers, and what is not collected yet.
  expect((await residentBytes(pid)) - before).toBeLessThan(520 * MIB);
}, 180_000);

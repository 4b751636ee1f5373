import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { whenDone } from '#tests/support/when-done.ts';
import { resolveName } from './resolve-name.ts';

const IPV4 = 1;

/** A name server that has one IPv4 address for every name, or never replies. Returns its address, and what it was asked. */
async function startNameServer({ replies }: { readonly replies: boolean }) {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  whenDone(() => void socket.close());
  socket.on('message', (query, { port, address }) => {
    // RFC 1035, section 4.1: a header of 12 bytes, then the name, its type, and its class.
    const end = query.indexOf(0, 12) + 5;
    const question = query.subarray(12, end);
    asked.add(question.subarray(1, 1 + (question[0] ?? 0)).toString());
    if (!replies) return;
    const count = query.readUInt16BE(end - 4) === IPV4 ? 1 : 0;
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, count, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    const record = Buffer.from([0xc0, 12, 0, IPV4, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    socket.send(Buffer.concat([header, question, ...(count === 1 ? [record] : [])]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

test('finds the addresses of a name that has them of one family only', async () => {
  const { servers } = await startNameServer({ replies: true });
  const found = await resolveName('push.example.com', new AbortController().signal, servers);
  expect(found).toEqual([{ address: '192.0.2.7', family: 4 }]);
});

test('names whose server never replies wait beside each other, and end with the attempt', async () => {
  const { servers, asked } = await startNameServer({ replies: false });
  const attempt = new AbortController();
  const names = Array.from({ length: 12 }, (_, index) => `name${index}`);
  const lookUps = names.map((name) => resolveName(`${name}.example.com`, attempt.signal, servers));
  const ended = Promise.allSettled(lookUps);
  // More than the pool has threads.
  await expect.poll(() => [...asked].toSorted()).toEqual(names.toSorted());
  attempt.abort();
  for (const result of await ended) expect(result).toMatchObject({ reason: { code: 'ECANCELLED' } });
});

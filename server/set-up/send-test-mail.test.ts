import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { setUp as texts } from '#domain/words/compiled/en/set-up.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { sendTestMail } from './send-test-mail.ts';

const mailServer = await startMailServer();
afterAll(() => mailServer.close());

const send = (url: string) =>
  sendTestMail({ url, from: 'a@b.example', to: 'me@b.example', productName: 'Found', texts, timeoutMs: 300 });

/** A server that does with each connection what it is told. */
async function serve(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A TCP server listening on a port has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

test('a test email arrives, in the name of the product', async () => {
  expect(await send(`smtp://olive:pa%20ss@127.0.0.1:${mailServer.port}`)).toEqual({ sent: true, to: 'me@b.example' });
  expect(mailServer.arrived.map(({ recipients, mail }) => [recipients, mail.subject])).toEqual([
    [['me@b.example'], 'Test email from Found'],
  ]);
});

test('each failure has a sentence that says what to change', async () => {
  const { failures } = texts;
  const host = '127.0.0.1';
  const { port } = mailServer;
  const why = async (url: string) => {
    const result = await send(url);
    return result.sent ? 'It was sent.' : result.why;
  };
  const closed = await ownPort();
  expect(await why(`smtp://${host}:${closed}`)).toBe(failures.refused({ host, port: String(closed) }));
  expect(await why('smtp://nowhere.invalid')).toBe(failures.unknownHost('nowhere.invalid'));
  expect(await why(`smtp://olive:wrong@${host}:${port}`)).toBe(failures.login);
  expect(await why(`smtps://${host}:${port}`)).toBe(failures.notTls({ host, port: String(port) }));
  expect(await why(`smtp://${host}:${port}?requireTLS=true`)).toBe(failures.noStarttls(host));
  const web = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await why(`smtp://${host}:${web}`)).toBe(failures.notMail({ host, port: String(web) }));
  const gone = await serve((socket) => socket.destroy());
  expect(await why(`smtp://${host}:${gone}`)).toBe(failures.ended(host));
  mailServer.recipientRefusal = Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 });
  expect(await send(`smtp://${host}:${port}`)).toEqual({
    sent: false,
    why: failures.recipient,
    reply: '550 5.1.1 no such mailbox',
  });
  mailServer.recipientRefusal = undefined;
});

test('a mail server that hangs, or responds a byte at a time, delays the page by seconds at most [J66]', async () => {
  const silent = await serve(() => undefined);
  const slow = await serve((socket) => {
    socket.write('2');
    const timer = setInterval(() => socket.write('2'), 50);
    socket.once('close', () => clearInterval(timer));
  });
  for (const port of [silent, slow]) {
    const startedAt = performance.now();
    const result = await send(`smtp://127.0.0.1:${port}`);
    expect(result).toEqual({
      sent: false,
      why: texts.failures.silent({ host: '127.0.0.1', port: String(port) }),
      reply: '',
    });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
});

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const { qrId } = await createItem(database, await createOwner(database));

const BODY = 'x'.repeat(2 * 1024 * 1024);
const FORM = 'application/x-www-form-urlencoded';
const OFTEN = 25;
/**
 * The pause between the halves of a body: longer than the 500 ms for which the adapter continues to read after a
 * response.
 */
const SLOW_MS = 700;

interface Posted {
  readonly type?: string;
  /** In chunks, without an announced length. */
  readonly chunked?: boolean;
}

/**
 * Returns the status line as seen by a simple client on a slow connection, which reads the response only after it has
 * sent everything.
 */
async function statusOf(path: string, { type = FORM, chunked = false }: Posted = {}): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), 'localhost');
  const size = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${BODY.length}`;
  const piece = chunked ? `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n` : BODY;
  try {
    await new Promise<void>((sent, broken) => {
      socket.once('error', broken);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`,
      );
      socket.write(piece.slice(0, piece.length / 2));
      setTimeout(
        () => socket.write(piece.slice(piece.length / 2), (error) => (error ? broken(error) : sent())),
        SLOW_MS,
      );
    });
    let response = '';
    for await (const part of socket) response += part;
    return response.split('\r\n', 1)[0] ?? '';
  } catch (error) {
    return String(error);
  } finally {
    socket.destroy();
  }
}

function statusesOf(path: string, posted?: Posted): Promise<string[]> {
  return Promise.all(Array.from({ length: OFTEN }, () => statusOf(path, posted)));
}

/** Levels of the log from `warn` on: what an operator would be woken for. */
const TROUBLE = /"level":(40|50|60)/;

const always = (status: string) => Array.from({ length: OFTEN }, () => `HTTP/1.1 ${status}`);

test.each(['/', '/auth', '/dashboard', '/item/new-item', '/health/live', '/no/such/page', '/auth.data'])(
  'two megabytes to the page %s, which accepts no body: 405 every time, and no error in the log',
  async (path) => {
    const before = server.logged.length;
    expect(await statusesOf(path)).toEqual(always('405 Method Not Allowed'));
    const { headers } = await fetch(`${server.url}${path}`, { method: 'POST', body: 'x' });
    expect([headers.get('allow'), headers.get('connection')]).toEqual(['GET, HEAD', 'close']);
    expect(server.logged.slice(before).filter((line) => TROUBLE.test(line))).toEqual([]);
  },
);

test.each([
  ['a form that is too large', {}, '413 Payload Too Large'],
  ['the same without a stated length', { chunked: true }, '413 Payload Too Large'],
  ['a body that is not a form', { type: 'application/json' }, '415 Unsupported Media Type'],
])('%s is refused, every time', async (_, options, status) => {
  expect(await statusesOf(`/item/${qrId}/message`, options)).toEqual(always(status));
});

test('a file of the build accepts no body either', async () => {
  expect(await statusesOf('/favicon.svg')).toEqual(always('405 Method Not Allowed'));
  expect(await statusesOf('/assets/gone.js')).toEqual(always('404 Not Found'));
});

test('a client that breaks off in the middle of a body leaves no error in the log', async () => {
  const before = server.logged.length;
  for (const [path, type] of [
    ['/', FORM],
    [`/item/${qrId}/message`, FORM],
    ['/auth/v1/signup', 'application/json'],
    ['/rest/v1/rpc/find_item', 'application/json'],
  ]) {
    await new Promise<void>((closed) => {
      const socket = connect(Number(new URL(server.url).port), 'localhost', () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${server.secrets.publishableKey}\r\n` +
            `Content-Type: ${type}\r\nContent-Length: 9000\r\n\r\n{"body":`,
          () => socket.resetAndDestroy(),
        );
      });
      socket.once('close', () => closed());
    });
  }
  // Answered after them, so they were dealt with.
  expect(await statusesOf('/')).toEqual(always('405 Method Not Allowed'));
  expect(server.logged.slice(before).filter((line) => TROUBLE.test(line))).toEqual([]);
});

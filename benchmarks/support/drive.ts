import { connect, type Socket } from 'node:net';

export interface Drive {
  readonly port: number;
  /** The whole request for one look-up. */
  request(code: string): string;
  readonly codes: readonly string[];
  readonly connections: number;
  readonly requests: number;
  /** How many are due in each second. Without it, each connection sends its next one as soon as it can. */
  readonly perSecond?: number;
  /** Whether a response, with head and body, is correct. */
  isRight?(response: string): boolean;
}

export interface Driven {
  readonly seconds: number;
  /** Bytes of all requests. */
  readonly sent: number;
  /** Bytes of all responses. */
  readonly received: number;
}

interface Due {
  readonly request: string;
  /** In milliseconds. */
  readonly wait: number;
}

const isItem = (response: string) => response.startsWith('HTTP/1.1 200 ') && response.includes('"item_name": "Keys ');

/**
 * Sends lookups over persistent connections, each the next one as soon as its response is complete and the next is due.
 * Rejects on any incorrect response: a server that refuses is not fast. Plain sockets, because the driver of a benchmark
 * takes its time from the two cores that it measures.
 */
export async function drive({
  port,
  request,
  codes,
  connections,
  requests,
  perSecond = Infinity,
  isRight = isItem,
}: Drive): Promise<Driven> {
  const startedAt = process.hrtime.bigint();
  let sent = 0;
  const next = (): Due | null => {
    if (sent >= requests) return null;
    const code = codes[(sent * 7919) % codes.length] ?? '';
    const since = Number(process.hrtime.bigint() - startedAt) / 1e6;
    const wait = (sent * 1_000) / perSecond - since;
    sent += 1;
    return { request: request(code), wait };
  };
  const sockets = await Promise.all(Array.from({ length: connections }, () => useConnection(port, next, isRight)));
  return {
    seconds: Number(process.hrtime.bigint() - startedAt) / 1e9,
    sent: sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    received: sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  };
}

/** Resolves with the connection once it has all its responses. */
function useConnection(port: number, next: () => Due | null, isRight: (response: string) => boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = '';
    const send = () => {
      const due = next();
      if (due === null) {
        socket.end();
        resolve(socket);
      } else if (due.wait <= 0) socket.write(due.request);
      else setTimeout(() => socket.write(due.request), due.wait);
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed the connection.')));
    socket.on('data', (chunk: string) => {
      received += chunk;
      const length = wholeLength(received);
      if (length === null || received.length < length) return;
      if (!isRight(received)) {
        socket.destroy();
        reject(new Error(`Not the answer:\n${received}`));
        return;
      }
      received = received.slice(length);
      send();
    });
  });
}

/** Returns the length of the response with its head; null while the head is incomplete. */
function wholeLength(received: string): number | null {
  const head = received.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const length = /content-length: (\d+)/i.exec(received)?.[1];
  if (length !== undefined) return head + 4 + Number(length);
  const end = received.indexOf('\r\n0\r\n\r\n', head);
  return end === -1 ? null : end + 7;
}

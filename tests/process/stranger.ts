import { connect, type Socket } from 'node:net';

const MIB = 1024 * 1024;

/** A caller without an account who uses all the memory that many network addresses may use. */
export class Stranger {
  #port: number;
  #key: string;
  #fragments: number;
  #sockets: Socket[] = [];

  constructor(port: number, publishableKey: string, fragments = 200) {
    this.#fragments = fragments;
    this.#port = port;
    this.#key = publishableKey;
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Sends a message of many fragments of one byte, and never finishes it. */
  async sendFragments(address: number): Promise<void> {
    const socket = await this.#openWebSocket(address);
    socket.write(
      Buffer.concat([frame(1, 'x', { final: false }), ...Array(this.#fragments).fill(frame(0, 'x', { final: false }))]),
    );
  }

  /** Sends the most bytes and fragments that a message may have before a join, and never finishes it. */
  async sendUnfinished(address: number): Promise<void> {
    const socket = await this.#openWebSocket(address);
    for (let piece = 0; piece < 127; piece += 1) {
      socket.write(frame(piece === 0 ? 1 : 0, 'x'.repeat(500), { final: false }));
    }
  }

  /** Causes the largest possible replies to heartbeats, and never reads them. */
  async readNothing(address: number): Promise<void> {
    const socket = await this.#openWebSocket(address);
    socket.pause();
    const heartbeat = frame(1, JSON.stringify([null, 'r'.repeat(60_000), 'phoenix', 'heartbeat', {}]));
    for (let count = 0; count < 100; count += 1) socket.write(heartbeat);
  }

  /** Joins channels with the largest subscriptions that a join may have. */
  async join(address: number): Promise<void> {
    const socket = await this.#openWebSocket(address);
    const bindings = Array.from({ length: 25 }, (_, id) => ({
      event: '*',
      schema: 'public',
      table: 'items',
      filter: `id=eq.${id}${'x'.repeat(1_900)}`,
    }));
    const payload = { config: { postgres_changes: bindings } };
    for (let topic = 0; topic < 10; topic += 1) {
      socket.write(frame(1, JSON.stringify(['1', '1', `realtime:${address} ${topic}`, 'phx_join', payload])));
    }
  }

  /** A body that is as large as one may be in memory, and lacks its last byte. */
  async sendBody(address: number): Promise<void> {
    const head = `POST /auth/v1/signup HTTP/1.1\r\nHost: here\r\n${from(address)}\r\napikey: ${this.#key}\r\nContent-Type: application/json\r\nContent-Length: ${MIB}\r\n\r\n`;
    (await this.#open(head)).write('x'.repeat(MIB - 1));
  }

  async sendHeaders(address: number): Promise<void> {
    await this.#open(`GET / HTTP/1.1\r\nHost: here\r\n${from(address)}\r\nX-Long: ${'x'.repeat(15_000)}`);
  }

  async #openWebSocket(address: number): Promise<Socket> {
    const socket = await this.#open(
      `GET /realtime/v1/websocket?apikey=${this.#key}&vsn=2.0.0 HTTP/1.1\r\nHost: here\r\n${from(address)}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await new Promise((responded) => socket.once('data', responded).once('close', responded));
    return socket;
  }

  async #open(text: string): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    this.#sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    socket.write(text);
    await new Promise((done) => socket.once('connect', done).once('close', done));
    return socket;
  }
}

function from(address: number): string {
  return `X-Forwarded-For: 10.9.${Math.trunc(address / 250)}.${address % 250}`;
}

/** One masked frame, whose mask is zero (RFC 6455, section 5.2). */
function frame(opcode: number, text: string, { final = true } = {}): Buffer {
  const payload = Buffer.from(text);
  const first = opcode | (final ? 0x80 : 0);
  const head =
    payload.length < 126
      ? [first, 0x80 | payload.length]
      : [first, 0x80 | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

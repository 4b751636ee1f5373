import { connect, type Socket } from 'node:net';

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  /** By its name in lower case. */
  header(name: string): string | undefined;
}

/**
 * Sends requests in sequence over one persistent connection. A plain socket, because the driver of a benchmark takes
 * its time from the cores that it measures. Reads responses with a length, in chunks, or without a body.
 */
export class Connection {
  #socket: Socket;
  #received = '';
  #waiting: { readonly resolve: (response: HttpResponse) => void; readonly reject: (error: Error) => void } | null =
    null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection.')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  /** False once either side has closed it. A server closes what has long been idle. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Rejects where the connection is closed. */
  ask({ method, path, headers = {}, body = '' }: Question): Promise<HttpResponse> {
    const lines = Object.entries({ Host: 'localhost', 'Content-Length': Buffer.byteLength(body), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return new Promise((resolve, reject) => {
      if (!this.isOpen) throw new Error('The connection is closed.');
      this.#waiting = { resolve, reject };
      this.#socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.#received.slice(0, end);
    const header = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1];
    const status = Number(head.slice(9, 12));
    const length = status === 204 || status === 304 ? 0 : Number(header('content-length'));
    const isChunked = header('transfer-encoding') === 'chunked';
    if (Number.isNaN(length) && !isChunked) {
      this.#waiting?.reject(new Error(`An answer without a length:\n${head}`));
    }
    if (isChunked ? !this.#received.endsWith('\r\n0\r\n\r\n') : this.#received.length < end + 4 + length) return;
    // Chunks keep their sizes.
    const body = this.#received.slice(end + 4, isChunked ? undefined : end + 4 + length);
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status, body, header });
  }
}

import { once } from 'node:events';
import { request } from 'node:http';
import { WebSocket } from 'ws';

type Frame = readonly [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown];

/** A socket without the official client, for what that would never send. */
export interface RawSocket {
  readonly ws: WebSocket;
  readonly frames: Frame[];
  send(...frame: Frame): void;
  /** Resolves with the first frame, past or future, that matches. */
  next(matches: (frame: Frame) => boolean): Promise<Frame>;
  /** Resolves with the reply to a push. */
  ask(...frame: Frame): Promise<{ status: string; response: Record<string, unknown> }>;
  /** The code that the connection was closed with. */
  readonly closed: Promise<number>;
}

/** Connects with protocol 2.0.0 and resolves when the socket is open. */
export async function openRawSocket(
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<RawSocket> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`, { headers });
  const frames: Frame[] = [];
  const looks = new Set<() => void>();
  ws.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const look of [...looks]) look();
  });
  const closed = new Promise<number>((resolve) => ws.once('close', resolve));
  ws.on('error', () => undefined);
  await once(ws, 'open');
  const next: RawSocket['next'] = (matches) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No such frame came: ${JSON.stringify(frames)}`)), 20_000);
      const look = () => {
        const found = frames.find(matches);
        if (found === undefined) return;
        looks.delete(look);
        clearTimeout(late);
        resolve(found);
      };
      looks.add(look);
      look();
    });
  return {
    ws,
    frames,
    closed,
    next,
    send: (...frame) => ws.send(JSON.stringify(frame)),
    async ask(...frame) {
      ws.send(JSON.stringify(frame));
      const reply = await next(([, ref, , event]) => event === 'phx_reply' && ref === frame[1]);
      return reply[4] as { status: string; response: Record<string, unknown> };
    },
  };
}

/** Requests a WebSocket and resolves with the status and body of the refusal. */
export function refusedHandshake(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The handshake was accepted.'));
    });
    asked.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
    asked.on('error', reject);
    asked.end();
  });
}

import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';

export type RefusalStatus = 401 | 403 | 426 | 429;

/**
 * Refuses a WebSocket request with `{"error": …}`.
 *
 * The adapter sends no body when it refuses an upgrade, so the response is written here, to the bare connection. The
 * adapter leaves a closed connection alone.
 */
export async function refuseHandshake(c: Context<AppEnv>, status: RefusalStatus, error: string): Promise<Response> {
  const { incoming, outgoing } = c.env ?? {};
  if (status === 426) c.header('Upgrade', 'websocket');
  if (incoming === undefined || outgoing !== undefined) return c.json({ error }, status);
  const { socket } = incoming;
  const body = JSON.stringify({ error });
  const finished = once(socket, 'finish').catch(() => undefined);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
  await finished;
  socket.destroy();
  return c.json({ error }, status);
}

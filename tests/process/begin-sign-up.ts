import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { ServiceProcess } from '#tests/support/service-process.ts';

/** Opens a connection; `heard` returns what the server has sent on it so far. */
export async function open(service: ServiceProcess): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(Number(new URL(service.url).port), 'localhost');
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, heard: () => said };
}

/** The first half of a request; its body is still on its way. */
export async function beginSignUp(service: ServiceProcess): Promise<{ finish: () => void; heard: () => string }> {
  // A new address: codes to one address must be a second apart.
  const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'half a request' });
  const { socket, heard } = await open(service);
  socket.write(
    `POST /auth/v1/signup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  // A response to a later request on another connection shows that the server has read this far.
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  return { finish: () => socket.write(body.slice(20)), heard };
}

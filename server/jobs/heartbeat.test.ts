import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A connection that breaks on request and records its releases. */
class FakeConnection extends EventEmitter {
  released = 0;
  query = async <Row>(): Promise<{ rows: Row[] }> => ({ rows: [] });
  release(): void {
    this.released += 1;
  }
}

function heartbeatOver(connections: FakeConnection[]): Heartbeat {
  const database = {
    holdAsOwner: async () => {
      const connection = new FakeConnection();
      connections.push(connection);
      return connection;
    },
  };
  return new Heartbeat({ database, log: quiet, workerId: 'me', graceMs: 0, lookEveryMs: 5 });
}

test('a connection that breaks after it was given back is left alone', async () => {
  const connections: FakeConnection[] = [];
  const heartbeat = heartbeatOver(connections);
  await heartbeat.start();
  await heartbeat.stop();
  connections[0]?.emit('error', new Error('terminated'));
  expect(connections.map(({ released }) => released)).toEqual([1]);
});

test('a connection that breaks is given back once, and the heartbeat goes on over another', async () => {
  const connections: FakeConnection[] = [];
  const heartbeat = heartbeatOver(connections);
  await heartbeat.start();
  connections[0]?.emit('error', new Error('terminated'));
  await expect.poll(() => connections.length).toBe(2);
  await heartbeat.stop();
  expect(connections.map(({ released }) => released)).toEqual([1, 1]);
});

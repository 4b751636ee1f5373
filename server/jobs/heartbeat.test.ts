import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { SignOfLife } from './sign-of-life.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A connection that breaks when the test says so, and that no pool takes back twice. */
class FakeConnection extends EventEmitter {
  released = 0;
  query = async <Row>(): Promise<{ rows: Row[] }> => ({ rows: [] });
  release(): void {
    this.released += 1;
  }
}

function signOver(connections: FakeConnection[]): SignOfLife {
  const pool = {
    connect: async () => {
      const connection = new FakeConnection();
      connections.push(connection);
      return connection;
    },
  };
  return new SignOfLife({ pool, log: quiet, workerId: 'me', graceMs: 0, lookEveryMs: 5 });
}

test('a connection that breaks after it was given back is left alone', async () => {
  const connections: FakeConnection[] = [];
  const sign = signOver(connections);
  await sign.start();
  await sign.stop();
  connections[0]?.emit('error', new Error('terminated'));
  expect(connections.map(({ released }) => released)).toEqual([1]);
});

test('a connection that breaks is given back once, and another shows the sign', async () => {
  const connections: FakeConnection[] = [];
  const sign = signOver(connections);
  await sign.start();
  connections[0]?.emit('error', new Error('terminated'));
  await expect.poll(() => connections.length).toBe(2);
  await sign.stop();
  expect(connections.map(({ released }) => released)).toEqual([1, 1]);
});

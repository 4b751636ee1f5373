import { Pool, type PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { Notifications } from '#server/postgres/notifications.ts';
import { poolForQueue } from '#server/postgres/pool-for-queue.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase();

test('the queue hears of jobs over the connection that listens, and the pool’s only one stays free', async () => {
  const pool = new Pool({ ...database.address, max: 1 });
  whenDone(() => pool.end());
  const notifications = new Notifications(database.address, quietLog);
  whenDone(() => notifications.close());
  const forQueue = poolForQueue(pool, notifications);

  const listening = await new Promise<{ client: PoolClient; done: () => void }>((resolve, reject) => {
    forQueue.connect((error, client, done) => (client === undefined ? reject(error) : resolve({ client, done })));
  });
  const heard: unknown[] = [];
  listening.client.on('notification', (notification) => void heard.push(notification));
  await listening.client.query('LISTEN "jobs:insert"; LISTEN "worker:migrate";');

  // Both need a connection of the pool.
  expect((await forQueue.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  const client = await forQueue.connect();
  await client.query(`select pg_notify('jobs:insert', '{"count":1}'), pg_notify('elsewhere', '')`);
  client.release();
  await expect.poll(() => heard).toEqual([{ channel: 'jobs:insert', payload: '{"count":1}' }]);

  await listening.client.query('UNLISTEN "jobs:insert"; UNLISTEN "worker:migrate";');
  listening.done();
  const afterwards: string[] = [];
  await notifications.listen('jobs:insert', { onPayload: (payload) => void afterwards.push(payload) });
  await forQueue.query(`select pg_notify('jobs:insert', 'later')`);
  await expect.poll(() => afterwards).toEqual(['later']);
  expect(heard).toHaveLength(1);
});

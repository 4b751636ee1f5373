import { expect, test } from 'vitest';
import { QueuePool } from '#server/postgres/queue-pool.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase();

test('a connection that is given back twice is given back once, and can be had again', async () => {
  const pool = new QueuePool({ ...database.address, max: 1 });
  whenDone(() => pool.end());
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, _, done) => {
      if (error !== undefined) return reject(error);
      done?.();
      done?.();
      resolve();
    });
  });
  const client = await pool.connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
});

test('a request to a closed pool is refused, and has nothing to release', async () => {
  const pool = new QueuePool(database.address);
  await pool.end();
  const reported = await new Promise<unknown[]>((resolve) => pool.connect((...response) => resolve(response)));
  expect(reported).toEqual([new Error('Cannot use a pool after calling end on the pool'), undefined, undefined]);
});

import { expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { actAs } from '#tests/support/act-as.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();
const item = await createItem(database, await createOwner(database));

function jobs(): Promise<{ task: string; payload: object }[]> {
  return database.query(
    `select identifier as task, payload from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = task_id order by jobs.id`,
  );
}

test("a visitor's message has its job as soon as it is there", async () => {
  const messageId = await sendMessage(database, item);
  const [conversation] = await database.query<{ id: string }>('select id from public.conversations');
  expect(await jobs()).toEqual([
    { task: 'notify_owner_of_message', payload: { message_id: messageId } },
    { task: 'notify_of_unseen', payload: { step: 'reminder', conversation_id: conversation?.id } },
  ]);
});

test('a message that is rolled back leaves no job', async () => {
  const before = await jobs();
  const undone = actAs(database, VISITOR, async (client) => {
    await client.query('select public.send_message($1, $2)', [item.qrId, 'Never mind']);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await jobs()).toEqual(before);
});

test('a full queue takes a job by its key, with plans that were made when it was empty', async () => {
  const queue = await createTestDatabase();
  const [enqueue, fill] = [
    `select graphile_worker.add_job('notify_of_unseen', '{}', job_key := 'a key')`,
    `insert into graphile_worker._private_jobs (task_id, payload, key)
       select id, '{}', gen_random_uuid() from graphile_worker._private_tasks, generate_series(1, 20000)`,
  ];
  const client = await queue.pool.connect();
  try {
    const rowsRead = async () => {
      await client.query('select pg_stat_force_next_flush()');
      const { rows } = await client.query<{ read: number }>(
        `select seq_tup_read::float8 as read from pg_stat_user_tables where relname = '_private_jobs'`,
      );
      return rows[0]?.read ?? Number.NaN;
    };
    for (let time = 0; time < 10; time += 1) await client.query(enqueue);
    await client.query(fill);
    const before = await rowsRead();
    await client.query(enqueue);
    expect(await rowsRead()).toBe(before);
    const { rows } = await client.query('select from graphile_worker._private_jobs');
    expect(rows).toHaveLength(20_001);
  } finally {
    client.release();
  }
});

test('the queue’s function keeps its plans', async () => {
  const settings = await database.query(
    `select unnest(proconfig) as setting from pg_proc
       where proname = 'add_jobs' and pronamespace = 'graphile_worker'::regnamespace order by 1`,
  );
  expect(settings).toEqual([{ setting: 'enable_seqscan=off' }, { setting: 'plan_cache_mode=force_generic_plan' }]);
});

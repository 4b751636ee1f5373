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

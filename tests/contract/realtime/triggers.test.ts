import { afterEach, expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { hear } from './hear.ts';

const database = await createTestDatabase();
const owner = await createOwner(database);
await database.query(`
  create table public.shelves (id integer primary key, name text);
  grant select, insert on public.shelves to anon, authenticated;
  grant usage on schema public to anon, authenticated;
`);
const server = await startTestServer(database);
const client = server.client({ token: await server.token({ sub: owner.id }) });

/** Makes a trigger with the rights of who writes the row, as a trigger has by default. */
function announce(statement: string, level = 'row') {
  return database.query(`
    create function public.tell_shelves() returns trigger language plpgsql as $$
      begin ${statement}; return null; end $$;
    grant execute on function public.tell_shelves() to public;
    create trigger tell after insert on public.shelves for each ${level} execute function public.tell_shelves();
  `);
}

afterEach(() =>
  database.query(`
    drop trigger tell on public.shelves; drop function public.tell_shelves; delete from public.shelves;
    drop policy if exists "signed in" on realtime.messages; drop policy if exists "hear" on realtime.messages;
  `),
);

const CHANGES = 'tg_op, tg_op, tg_table_name, tg_table_schema, new, old';

test.each([
  ['realtime.send where no policy lets the writer send', `perform realtime.send('{}', 'shout', 'room')`],
  [
    'realtime.send_binary where no policy lets the writer send',
    `perform realtime.send_binary('\\x00', 'shout', 'room')`,
  ],
  [
    'realtime.broadcast_changes where no policy lets the writer send',
    `perform realtime.broadcast_changes('room', ${CHANGES})`,
  ],
  ['a topic that is too long', `perform realtime.send('{}', 'shout', repeat('x', 256))`],
  ['no topic', `perform realtime.send('{}', 'shout', null)`],
  ['no topic of changes', `perform realtime.broadcast_changes(null, ${CHANGES})`],
  ['a level that is not the row’s', `perform realtime.broadcast_changes('room', ${CHANGES}, 'STATEMENT')`],
  ['no level', `perform realtime.broadcast_changes('room', ${CHANGES}, null)`],
])('the application’s write succeeds beside %s [K94]', async (_name, statement) => {
  await announce(statement);
  const written = await client.from('shelves').insert({ id: 1, name: 'Lost umbrellas' });
  expect(written).toMatchObject({ error: null, status: 201 });
  const visitors = await server.client().from('shelves').insert({ id: 2 });
  expect(visitors).toMatchObject({ error: null, status: 201 });
  expect(await database.query('select id from public.shelves order by id')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await database.query('select id from realtime.messages')).toEqual([]);
});

test('a trigger for each statement fails no write either', async () => {
  await announce(`perform realtime.broadcast_changes('room', ${CHANGES}, tg_level)`, 'statement');
  expect(await client.from('shelves').insert({ id: 1 })).toMatchObject({ error: null, status: 201 });
});

test('a policy that lets the writer send lets the trigger send', async () => {
  await announce(`perform realtime.broadcast_changes('room', ${CHANGES})`);
  await database.query(`
    create policy "hear" on realtime.messages for select to authenticated using (realtime.topic() = 'room');
    create policy "signed in" on realtime.messages for insert to authenticated with check (realtime.topic() = 'room');
  `);
  const listener = await hear(client, 'room', { private: true });
  expect(await client.from('shelves').insert({ id: 3, name: 'Gloves' })).toMatchObject({ error: null, status: 201 });
  await listener.until(1);
  expect(listener.heard).toMatchObject([
    { event: 'INSERT', payload: { table: 'shelves', record: { id: 3, name: 'Gloves' }, old_record: null } },
  ]);
});

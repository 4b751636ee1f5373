import { randomUUID } from 'node:crypto';
import { postgresChangesFilter } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { watch } from './watch.ts';

/** Tables made for this file, published with the plain SQL that operators know. */
const database = await createTestDatabase();
await database.query(`
  create table public.notes (
    id integer primary key,
    owner_id uuid,
    title text,
    amount bigint,
    tags text[],
    due timestamptz,
    secret text,
    "odd ""name""" text
  );
  alter table public.notes enable row level security;
  create policy "own notes" on public.notes for select to authenticated using (owner_id = (select auth.uid()));
  create policy "public notes" on public.notes for select using (title like 'public%');
  grant select (id, owner_id, title, amount, tags, due, "odd ""name""") on public.notes to anon, authenticated;
  grant select on public.notes to service_role;
  create table public.full_notes (like public.notes including all);
  alter table public.full_notes replica identity full;
  alter table public.full_notes enable row level security;
  create policy "own notes" on public.full_notes for select to authenticated using (owner_id = (select auth.uid()));
  grant select on public.full_notes to authenticated;
  create table public.open_log (line text);
  create table public.closed_log (id integer primary key, line text);
  grant select on public.open_log to anon, authenticated;
  create table public.unpublished (id integer primary key);
  grant select on public.unpublished to anon;
  alter publication supabase_realtime add table public.notes, public.full_notes, public.open_log, public.closed_log;
`);
const server = await startTestServer(database);

const owner = await createOwner(database);
const stranger = await createOwner(database);
const signedIn = async (sub: string) => server.client({ token: await server.token({ sub }) });
const notes = (filter?: string) =>
  ({ event: '*', schema: 'public', table: 'notes', ...(filter === undefined ? {} : { filter }) }) as const;
let lastId = 0;

async function addNote(values: Record<string, unknown> = {}): Promise<number> {
  lastId += 1;
  const row = { id: lastId, owner_id: owner.id, title: 'a note', ...values };
  await database.query('insert into public.notes select * from jsonb_populate_record(null::public.notes, $1)', [
    JSON.stringify(row),
  ]);
  return lastId;
}

describe('filters', () => {
  const matching = {
    amount: '9007199254740993',
    due: '2026-05-01T12:00:00+02:00',
    title: 'Tea, "milk" (2)',
    tags: ['x', 'y z'],
    'odd "name"': 'odd',
  };

  test.each([
    'amount=eq.9007199254740993',
    'amount=gt.9007199254740992',
    'amount=neq.9007199254740992',
    'amount=lte.9007199254740993,amount=gte.9007199254740993',
    'amount=in.(1,9007199254740993)',
    'amount=not.in.(1,9007199254740992)',
    'due=eq.2026-05-01 10:00:00+00',
    'due=lt.2026-05-01T10:00:01Z',
    postgresChangesFilter().eq('title', 'Tea, "milk" (2)').build(),
    'title=like.Tea%',
    'title=ilike.tEA%',
    'tags=not.is.null',
    'tags=eq.{x,"y z"}',
    'odd "name"=eq.odd',
    'title=isdistinct.other',
  ])('%s delivers the matching row and not the other', async (filter) => {
    const watched = await watch(await signedIn(owner.id), notes(filter));
    expect(watched.system[0]).toMatchObject({ status: 'ok' });
    await addNote({ amount: '9007199254740992', due: '2027-01-01', title: 'other', tags: null, 'odd "name"': 'even' });
    const id = await addNote(matching);
    await watched.until(1);
    expect(watched.payloads.map((payload) => (payload.new as { id: number }).id)).toEqual([id]);
  });

  test.each([
    ['owner_id=foo.hey', 'Error parsing `filter` params: ["foo", "hey"]'],
    ['title=match.a', 'Error parsing `filter` params: ["match", "a"]'],
    ['nothing=eq.1', 'invalid column for filter nothing'],
    ['secret=eq.1', 'invalid column for filter secret'],
    ['owner_id=eq.abc', 'invalid input syntax for type uuid: "abc"'],
    ['title=is.true', 'argument of IS TRUE must be type boolean'],
    ['title) or true or (title=eq.a', 'invalid column for filter title) or true or (title'],
    ['id=eq.1); drop table public.notes --', 'invalid input syntax for type integer'],
    ['title=is.null or true', 'invalid value for the filter operator is'],
  ])('%s is refused with a message', async (filter, message) => {
    const watched = await watch(await signedIn(owner.id), notes(filter));
    expect(watched.statuses).toEqual(['SUBSCRIBED']);
    expect(watched.system).toMatchObject([{ extension: 'postgres_changes', status: 'error' }]);
    expect(watched.system[0]?.message).toContain(message);
  });
});

test('a table that is not published is refused with a message', async () => {
  for (const table of ['unpublished', 'nothing', 'profiles']) {
    const watched = await watch(server.client(), { event: '*', schema: 'public', table });
    expect(watched.system[0]).toMatchObject({ status: 'error' });
    expect(watched.system[0]?.message).toContain('Please check Realtime is enabled for the given connect parameters');
  }
});

test('an update delivers the new row and the old primary key, a deletion the primary key alone, to those who could see it', async () => {
  const mine = await watch(await signedIn(owner.id), notes());
  const theirs = await watch(await signedIn(stranger.id), notes());
  const id = await addNote({ secret: 'hush' });
  await mine.until(1);
  await database.query("update public.notes set title = 'second' where id = $1", [id]);
  await mine.until(2);
  await database.query('delete from public.notes where id = $1', [id]);
  await mine.until(3);
  expect(mine.payloads).toMatchObject([
    { eventType: 'INSERT', new: { id, title: 'a note' }, old: {} },
    { eventType: 'UPDATE', new: { id, title: 'second' }, old: { id } },
    { eventType: 'DELETE', new: {}, old: { id } },
  ]);
  expect(mine.payloads.map(({ old }) => Object.keys(old))).toEqual([[], ['id'], ['id']]);
  expect(JSON.stringify(mine.payloads)).not.toContain('hush');
  expect(mine.payloads[0]?.new).not.toHaveProperty('secret');

  const shared = await addNote({ title: 'public, for everybody' });
  await theirs.until(1);
  expect(theirs.payloads).toMatchObject([{ eventType: 'INSERT', new: { id: shared } }]);
});

test('a row that changes owner is delivered to the new owner without its previous content [F42]', async () => {
  const former = await watch(await signedIn(owner.id), notes());
  const next = await watch(await signedIn(stranger.id), notes());
  const id = await addNote({ title: 'private words' });
  await former.until(1);
  await database.query("update public.notes set owner_id = $1, title = 'yours' where id = $2", [stranger.id, id]);
  await next.until(1);
  expect(next.payloads).toMatchObject([{ eventType: 'UPDATE', new: { id, title: 'yours' } }]);
  const last = await addNote();
  await former.when(() => former.payloads.some((payload) => (payload.new as { id: number }).id === last));
  expect(former.payloads.map(({ eventType }) => eventType)).toEqual(['INSERT', 'INSERT']);
});

test('the previous content of a row is not delivered to a user who can see it only by then', async () => {
  const next = await watch(await signedIn(stranger.id), notes());
  const client = await database.pool.connect();
  lastId += 1;
  await client.query('begin');
  await client.query("insert into public.notes (id, owner_id, title) values ($1, $2, 'private words')", [
    lastId,
    owner.id,
  ]);
  await client.query("update public.notes set owner_id = $1, title = 'yours' where id = $2", [stranger.id, lastId]);
  await client.query('commit');
  client.release();
  await next.until(1);
  expect(next.payloads).toMatchObject([{ eventType: 'UPDATE', new: { title: 'yours' } }]);
  expect(JSON.stringify(next.payloads)).not.toContain('private words');
});

test('REPLICA IDENTITY FULL delivers an update’s old values to those who could see them', async () => {
  const full = { event: '*', schema: 'public', table: 'full_notes' } as const;
  const mine = await watch(await signedIn(owner.id), full);
  const theirs = await watch(await signedIn(stranger.id), full);
  await database.query("insert into public.full_notes (id, owner_id, title) values (1, $1, 'old')", [owner.id]);
  await mine.until(1);
  await database.query("update public.full_notes set title = 'new'");
  await mine.until(2);
  await database.query("update public.full_notes set title = 'given', owner_id = $1", [stranger.id]);
  await theirs.until(1);
  await database.query('delete from public.full_notes');
  await theirs.until(2);
  expect(mine.payloads[1]).toMatchObject({ new: { title: 'new' }, old: { id: 1, title: 'old' } });
  expect(theirs.payloads).toMatchObject([
    { eventType: 'UPDATE', new: { title: 'given' }, old: { id: 1 } },
    { eventType: 'DELETE', old: { id: 1 } },
  ]);
  expect(theirs.payloads.map(({ old }) => Object.keys(old))).toEqual([['id'], ['id']]);
});

test('a row of up to 1 MB is delivered completely, and a larger one without its long values', async () => {
  const mine = await watch(await signedIn(owner.id), notes());
  const long = '🔑ä"\\\n'.repeat(20_000);
  await addNote({ title: long });
  await addNote({ title: 'x'.repeat(1_200_000), amount: 5 });
  const [whole, cut] = await mine.until(2);
  expect(whole).toMatchObject({ errors: null, new: { title: long } });
  expect(cut).toMatchObject({ errors: ['Error 413: Payload Too Large'], new: { amount: 5 } });
  expect(cut?.new).not.toHaveProperty('title');
});

test('the client gets the requested columns', async () => {
  const mine = await watch(await signedIn(owner.id), { ...notes(), select: ['id', 'title'] }, notes('title=eq.chosen'));
  const id = await addNote({ title: 'chosen' });
  await mine.until(2);
  expect(
    mine.payloads.map((payload) => payload.new).sort((a, b) => Object.keys(a).length - Object.keys(b).length),
  ).toMatchObject([
    { id, title: 'chosen' },
    { id, title: 'chosen', owner_id: owner.id },
  ]);
  const refused = await watch(await signedIn(owner.id), { ...notes(), select: ['secret'] });
  expect(refused.system[0]?.message).toContain('invalid column for select secret');
});

test('an event that was not requested is not delivered', async () => {
  const updates = await watch(await signedIn(owner.id), { ...notes(), event: 'UPDATE' });
  const id = await addNote();
  await database.query("update public.notes set title = 'u' where id = $1", [id]);
  await updates.until(1);
  expect(updates.payloads.map(({ eventType }) => eventType)).toEqual(['UPDATE']);
});

test('without row-level security, a missing key or right is reported as an error and nothing else', async () => {
  const visitor = await watch(
    server.client(),
    { event: 'INSERT', schema: 'public', table: 'open_log' },
    { event: 'INSERT', schema: 'public', table: 'closed_log' },
  );
  await database.query("insert into public.open_log values ('a line')");
  await database.query("insert into public.closed_log values (1, 'a line')");
  await visitor.until(2);
  expect(visitor.payloads).toMatchObject([
    { table: 'open_log', errors: ['Error 400: Bad Request, no primary key'], new: {} },
    { table: 'closed_log', errors: ['Error 401: Unauthorized'], new: {} },
  ]);
  expect(JSON.stringify(visitor.payloads)).not.toContain('a line');
});

test('the service role receives every change', async () => {
  const service = await watch(server.client({ token: server.secrets.secretKey }), notes());
  const id = await addNote({ owner_id: randomUUID(), secret: 'hush' });
  await service.until(1);
  expect(service.payloads[0]?.new).toMatchObject({ id, secret: 'hush' });
});

test('two identical changes in one transaction are both delivered', async () => {
  const mine = await watch(await signedIn(owner.id), { ...notes(), event: 'UPDATE' });
  const id = await addNote();
  await database.query(`do $$ begin
    for i in 1..50 loop update public.notes set title = title where id = ${id}; end loop;
  end $$`);
  await mine.until(50);
  expect(mine.payloads).toHaveLength(50);
});

test('one account at one address has 200 different filters, however many channels it has [K50]', async () => {
  const client = await signedIn((await createOwner(database)).id);
  const filters = Array.from({ length: 200 }, (_, at) => notes(`title=like.${at}*`));
  for (let from = 0; from < 200; from += 50) {
    const channel = await watch(client, ...filters.slice(from, from + 50));
    expect(channel.statuses).toContain('SUBSCRIBED');
  }
  const join = async (filter: string) => {
    const outcome = Promise.withResolvers<string>();
    const channel = client.channel(`join ${filter}`);
    channel.on('postgres_changes' as 'system', notes(filter) as never, () => undefined);
    channel.subscribe((status) => outcome.resolve(status));
    return outcome.promise;
  };
  expect(await join('title=like.7*'), 'one that it has already').toBe('SUBSCRIBED');
  expect(await join('title=like.one more*')).toBe('CHANNEL_ERROR');
  await client.removeAllChannels();
});

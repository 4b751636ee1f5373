import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { assertProperty } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { conditionText, meets, type RandomCondition, randomCondition } from './support/random-conditions.ts';
import { startRestServer } from './support/start-rest-server.ts';

/** How many operations, at most: a slow machine makes as many as fit into the time. */
const OPERATIONS_A_RUN = 15;
/** Run concurrently, each with its own tables, so that one works while another waits. */
const WORLDS = [0, 1, 2, 3] as const;
type World = (typeof WORLDS)[number];

const database = await createTestDatabase();
const server = await startRestServer(database);
for (const world of WORLDS) {
  await database.query(`
    create table public.parcels_${world} (
      id int primary key, owner uuid not null default auth.uid(), town text, weight int, shared boolean not null default false
    );
    create table public.labels_${world} (
      id int primary key, parcel_id int not null references public.parcels_${world} on delete cascade, word text
    );
    create index on public.labels_${world} (parcel_id);
    alter table public.parcels_${world} enable row level security;
    alter table public.labels_${world} enable row level security;
    create policy "own and shared" on public.parcels_${world} for select to anon, authenticated
      using (shared or owner = auth.uid());
    create policy "own" on public.parcels_${world} to authenticated
      using (owner = auth.uid()) with check (owner = auth.uid());
    create policy "of visible parcels" on public.labels_${world} for select to anon, authenticated
      using (exists (select from public.parcels_${world} where id = parcel_id));
    grant select, insert, update, delete on public.parcels_${world} to anon, authenticated;
    grant select on public.labels_${world} to anon, authenticated;
    create function internal.fill_${world}(parcels json, people uuid[], labels json) returns void language sql as $$
      delete from public.parcels_${world};
      insert into public.parcels_${world} select id, people[owner + 1], town, weight, shared
        from json_to_recordset(parcels) as given (id int, owner int, town text, weight int, shared boolean);
      insert into public.labels_${world}
        select * from json_to_recordset(labels) as given (id int, parcel_id int, word text);
    $$;
  `);
}
const people = [await createOwner(database), await createOwner(database)] as const;
const tokens = await Promise.all(people.map(({ caller }) => server.token(caller)));

interface Parcel {
  readonly id: number;
  /** Index of a person. */
  readonly owner: number;
  readonly town: string | null;
  readonly weight: number | null;
  readonly shared: boolean;
}

const TOWNS = ['Ada', 'Ben', 'a, (b) "c"'];
const WORDS = ['red', 'blue'];
const PARCELS: readonly Parcel[] = Array.from({ length: 12 }, (_, id) => ({
  id,
  owner: id % 2,
  town: id % 4 === 3 ? null : (TOWNS[id % 3] ?? null),
  weight: id % 5 === 4 ? null : id % 5,
  shared: id % 3 === 0,
}));
const LABELS = Array.from({ length: 20 }, (_, id) => ({
  id,
  parcel_id: (id * 7) % 12,
  word: id % 5 === 0 ? null : (WORDS[id % 2] ?? null),
}));

async function fill(world: World): Promise<void> {
  await database.query(`select internal.fill_${world}($1, $2, $3)`, [
    JSON.stringify(PARCELS),
    people.map(({ id }) => id),
    JSON.stringify(LABELS),
  ]);
}

const parcelCondition = randomCondition({ id: [0, 3, 5, 9], town: TOWNS, weight: [0, 1, 2, 3] });
const labelCondition = randomCondition({ id: [2, 8, 15], word: WORDS });
/** A person by index; null for a visitor. */
const who = fc.constantFrom(0, 1, null);
const operation = fc.oneof(
  fc.record({
    kind: fc.constant('read' as const),
    who,
    conditions: fc.array(parcelCondition, { maxLength: 2 }),
    labels: fc.option(fc.record({ inner: fc.boolean(), condition: labelCondition })),
    descending: fc.boolean(),
    limit: fc.option(fc.integer({ min: 0, max: 6 })),
    offset: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({
    kind: fc.constant('insert' as const),
    who,
    id: fc.integer({ min: 8, max: 20 }),
    owner: fc.constantFrom(0, 1),
    upsert: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    who,
    condition: parcelCondition,
    change: fc.oneof(
      fc.record({ weight: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ shared: fc.boolean() }),
      fc.record({ owner: fc.constantFrom(0, 1) }),
    ),
  }),
  fc.record({ kind: fc.constant('delete' as const), who, condition: parcelCondition }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

const sees = (person: number | null) => (parcel: Parcel) => parcel.shared || parcel.owner === person;

function call(person: number | null, path: string, method: string, body?: unknown, prefer = 'return=representation') {
  const token = person === null ? undefined : tokens[person];
  return server.call(path, {
    method,
    headers: { Prefer: prefer, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const where = (condition: RandomCondition) => `and=${encodeURIComponent(`(${conditionText(condition)})`)}`;
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** The content of the tables. */
interface Model {
  readonly parcels: readonly Parcel[];
  readonly labels: typeof LABELS;
}

/** Performs the operation, compares the response with the model's, and returns the resulting model. */
async function perform(world: World, one: Operation, model: Model): Promise<Model> {
  const { parcels, labels } = model;
  const visible = parcels.filter(sees(one.who));
  switch (one.kind) {
    case 'read': {
      await compareRead(world, one, visible, labels);
      return model;
    }
    case 'insert': {
      const { who: person, id, owner, upsert } = one;
      const path = upsert ? `/parcels_${world}?on_conflict=id` : `/parcels_${world}`;
      const prefer = `return=representation${upsert ? ', resolution=merge-duplicates' : ''}`;
      const response = await call(person, path, 'POST', { id, owner: people[owner]?.id, town: 'Cy' }, prefer);
      const there = parcels.find((parcel) => parcel.id === id);
      const may = person === owner && (there === undefined || (upsert && there.owner === person));
      expect(response.status < 300, `${response.status} ${response.text}`).toBe(may);
      if (!may) {
        expect([401, 403, 409]).toContain(response.status);
        return model;
      }
      const made = { id, owner, town: 'Cy', weight: there?.weight ?? null, shared: there?.shared ?? false };
      return { parcels: [...parcels.filter((parcel) => parcel.id !== id), made], labels };
    }
    case 'update': {
      const { who: person, condition, change } = one;
      const body = 'owner' in change ? { owner: people[change.owner]?.id } : change;
      const response = await call(person, `/parcels_${world}?select=id&order=id&${where(condition)}`, 'PATCH', body);
      const met = visible.filter((parcel) => parcel.owner === person && meets({ ...parcel }, condition));
      if ('owner' in change && change.owner !== person && met.length > 0) {
        // No owner may give a row to another account.
        expect(response.body).toMatchObject({ code: '42501' });
        return model;
      }
      expect([response.status, idsOf(response.body)]).toEqual([200, idsOf(met).toSorted((a, b) => a - b)]);
      return { parcels: parcels.map((parcel) => (met.includes(parcel) ? { ...parcel, ...change } : parcel)), labels };
    }
    case 'delete': {
      const { who: person, condition } = one;
      const response = await call(person, `/parcels_${world}?select=id&order=id&${where(condition)}`, 'DELETE');
      const met = visible.filter((parcel) => parcel.owner === person && meets({ ...parcel }, condition));
      expect([response.status, idsOf(response.body)]).toEqual([200, idsOf(met).toSorted((a, b) => a - b)]);
      const gone = idsOf(met);
      // The labels of a parcel go with it.
      return {
        parcels: parcels.filter(({ id }) => !gone.includes(id)),
        labels: labels.filter((label) => !gone.includes(label.parcel_id)),
      };
    }
  }
}

async function compareRead(
  world: World,
  one: Extract<Operation, { kind: 'read' }>,
  visible: readonly Parcel[],
  standing: Model['labels'],
): Promise<void> {
  const { who: person, conditions, labels, descending, limit, offset } = one;
  const response = await call(
    person,
    [
      `/parcels_${world}?select=id${labels === null ? '' : `,labels:labels_${world}${labels.inner ? '!inner' : ''}(id)`}`,
      ...conditions.map(where),
      `order=id.${descending ? 'desc' : 'asc'}`,
      `offset=${offset}`,
      ...(limit === null ? [] : [`limit=${limit}`]),
      ...(labels === null ? [] : ['labels.order=id', `labels.${where(labels.condition)}`]),
    ].join('&'),
    'GET',
    undefined,
    'count=exact',
  );
  const rows = visible
    .filter((parcel) => conditions.every((condition) => meets({ ...parcel }, condition)))
    .map(({ id }) => {
      if (labels === null) return { id };
      const mine = standing.filter((label) => label.parcel_id === id && meets(label, labels.condition));
      return { id, labels: mine.map((label) => ({ id: label.id })) };
    })
    .filter((row) => labels?.inner !== true || (row.labels?.length ?? 0) > 0)
    .toSorted((a, b) => (descending ? b.id - a.id : a.id - b.id));
  if (offset > rows.length) {
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `*/${rows.length}`]);
    return;
  }
  expect(response.body, response.text).toEqual(rows.slice(offset, limit === null ? undefined : offset + limit));
  expect(response.headers.get('content-range')?.split('/')[1]).toBe(String(rows.length));
}

async function inEveryWorld(run: (world: World) => Promise<void>): Promise<void> {
  await Promise.all(WORLDS.map(run));
}

test('every caller sees exactly its own rows after any sequence of reads and writes [C28]', async () => {
  const operations = fc.array(operation, { minLength: OPERATIONS_A_RUN, maxLength: OPERATIONS_A_RUN });
  await inEveryWorld((world) =>
    assertProperty(
      fc.asyncProperty(operations, async (all) => {
        await fill(world);
        let model: Model = { parcels: PARCELS, labels: LABELS };
        for (const one of all) model = await perform(world, one, model);
        const left = await database.query(`select id, weight, shared from public.parcels_${world} order by id`);
        expect(left).toEqual(
          model.parcels.map(({ id, weight, shared }) => ({ id, weight, shared })).toSorted((a, b) => a.id - b.id),
        );
      }),
      { short: Math.ceil(27 / WORLDS.length), long: Math.ceil(6_700 / WORLDS.length) },
    ),
  );
});

const piece = fc.constantFrom(
  ...['select', 'order', 'limit', 'id', 'parcels_0', 'labels_0', 'owner', 'town', 'weight', 'shared', 'count', 'nope'],
  ...[
    'eq.',
    'in.(',
    'not.',
    'and(',
    'or',
    'is.null',
    'like.',
    'match.',
    'cs.',
    'fts.',
    '!inner',
    '...',
    '->>',
    '::int',
  ],
  ...'.,()":*!{}0-9\\&=%é\0 ;'.split(''),
);
const noise = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const json = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.record({ id: fc.anything(), weight: fc.anything() }, { requiredKeys: [] }).map((row) => JSON.stringify(row) ?? ''),
  noise,
);

test('no request makes the server fail or reveals another caller’s row', async () => {
  await fill(0);
  await database.query(`update public.parcels_0 set town = 'canary' where owner = $1 and not shared`, [people[1].id]);
  const request = fc.asyncProperty(
    fc.constantFrom(0, null),
    fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'),
    fc.constantFrom('/parcels_0', '/labels_0', '/rpc/find_item', '/rpc/parcels_0', '/'),
    fc.array(fc.tuple(noise, noise), { maxLength: 3 }),
    fc.option(json),
    fc.constantFrom(
      'return=representation',
      'count=exact',
      'resolution=merge-duplicates, return=representation',
      'tx=rollback',
    ),
    fc.constantFrom('application/json', 'text/csv', 'application/vnd.pgrst.object+json'),
    async (person, method, path, parameters, body, prefer, accept) => {
      const query = parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
      const response = await server.call(`${path}?${query}`, {
        method,
        headers: {
          Accept: accept,
          Prefer: prefer,
          ...(person !== null && { Authorization: `Bearer ${tokens[person]}` }),
        },
        ...(body !== null && method !== 'GET' && method !== 'HEAD' && { body }),
      });
      expect(response.status, response.text).toBeLessThan(500);
      expect(response.text).not.toContain('canary');
    },
  );
  await inEveryWorld(() =>
    assertProperty(request, { short: Math.ceil(134 / WORLDS.length), long: Math.ceil(33_000 / WORLDS.length) }),
  );
});

import { expect, test } from 'vitest';
import { MEASURED_LABELS } from '#tests/support/factories/measured-labels.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

const MOST = 20;

test('an account has 20 saved labels at most, also where many are saved at once', async () => {
  const { client } = await registerOwner(server);
  const save = (number: number) => client.from('measured_labels').insert({ ...MEASURED_LABELS, name: `No. ${number}` });
  const many = Array.from({ length: MOST + 4 }, (_, number) => save(number));
  const outcomes = (await Promise.all(many)).map(({ error }) => error?.code ?? 'saved').toSorted();
  expect(outcomes).toEqual([...Array(4).fill('PT413'), ...Array(MOST).fill('saved')]);

  const { data } = await client.from('measured_labels').select('id, name').throwOnError();
  expect(data).toHaveLength(MOST);
  await client.from('measured_labels').delete().eq('id', data[0]?.id).throwOnError();
  await save(MOST + 4).throwOnError();
});

test('a name is one account’s own, and what was saved cannot be given to another account', async () => {
  const [owner, other] = [await registerOwner(server), await registerOwner(server)];
  const saved = owner.client.from('measured_labels').insert(MEASURED_LABELS).select().single();
  const { data: labels } = await saved.throwOnError();
  expect(labels).toMatchObject({ ...MEASURED_LABELS, user_id: owner.user.id });
  expect((await owner.client.from('measured_labels').insert(MEASURED_LABELS)).error?.code).toBe('23505');
  await other.client.from('measured_labels').insert(MEASURED_LABELS).throwOnError();

  await other.client.from('measured_labels').update({ name: 'Theirs' }).eq('id', labels.id).throwOnError();
  await other.client.from('measured_labels').delete().eq('id', labels.id).throwOnError();
  expect((await owner.client.from('measured_labels').select('name')).data).toEqual([{ name: MEASURED_LABELS.name }]);
  const given = await owner.client.from('measured_labels').update({ user_id: other.user.id }).eq('id', labels.id);
  expect(given.status).toBe(403);
});

test('measures can be changed, also to those of a roll and of round labels', async () => {
  const { client } = await registerOwner(server);
  await client.from('measured_labels').insert(MEASURED_LABELS).throwOnError();
  const place = { columns: 1, rows: 1, margin_left: 0, margin_top: 0, gap_x: 0, gap_y: 0 };
  const roll = { page: 'label', shape: 'round', label_width: 40, label_height: 40, ...place };
  const changed = client.from('measured_labels').update(roll).eq('name', MEASURED_LABELS.name).select().single();
  expect((await changed.throwOnError()).data).toMatchObject({ ...roll, name: MEASURED_LABELS.name });
});

test.each([
  ['no name', { name: '' }],
  ['a name with spaces around it', { name: ' Jars' }],
  ['a name with a line break', { name: 'Jars\nand boxes' }],
  ['a name of 41 characters', { name: 'x'.repeat(41) }],
  ['a paper that is not sold', { page: 'a0' }],
  ['a shape that is not printed', { shape: 'star' }],
  ['a round label with two diameters', { shape: 'round' }],
  ['a roll with columns', { page: 'label' }],
  ['a label without a width', { label_width: null }],
  ['a label of no width', { label_width: 0 }],
  ['a label wider than any paper', { label_width: 297.1 }],
  ['a width that is not a number', { label_width: 'NaN' }],
  ['a width beyond all numbers', { label_width: 'Infinity' }],
  ['half a column', { columns: 1.5 }],
  ['no rows', { rows: 0 }],
  ['a margin outside of the paper', { margin_left: -0.1 }],
  ['a gap of more than 50 mm', { gap_y: 50.1 }],
])('%s is refused, and nothing is saved', async (_, part) => {
  const { client } = await registerOwner(server);
  const { status } = await client.from('measured_labels').insert({ ...MEASURED_LABELS, ...part });
  expect(status).toBe(400);
  expect((await client.from('measured_labels').select()).data).toEqual([]);
});

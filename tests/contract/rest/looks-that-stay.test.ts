import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { operatorClient } from '#tests/support/factories/operator-client.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { REST_PLAN: 'true' } });
const operator = await operatorClient(server);
const concerned = await createOwner(database);

const details = { user_id_param: concerned.id, reason_param: 'A lost letter' };
const LOOKS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  look_at_contact_details: details,
  look_for_account: { query_param: concerned.email },
  look_at_deliveries: {},
};

async function look(path: string, values: unknown, headers: Readonly<Record<string, string>>) {
  const { data } = await operator.auth.getSession();
  const response = await server.request(`/rest/v1/rpc/${path}`, {
    method: 'POST',
    headers: {
      apikey: server.secrets.publishableKey,
      Authorization: `Bearer ${data.session?.access_token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(values),
  });
  return { status: response.status, text: await response.text() };
}

const entries = async () =>
  (await database.query<{ count: number }>("select count(*)::int from auth.audit_log where event like 'operator%'"))[0]
    ?.count;

/** What has the database undo a call that is complete, and what would say something of its result nevertheless. */
const UNDONE: readonly (readonly [how: string, query: string, headers: Readonly<Record<string, string>>])[] = [
  ['a rollback', '', { Prefer: 'tx=rollback' }],
  ['a rollback of no response', '', { Prefer: 'tx=rollback, return=minimal' }],
  ['a plan that runs it', '', { Accept: 'application/vnd.pgrst.plan+json; options=analyze' }],
  ['a cast that fails', '?select=FUNCTION::int4', { Accept: 'text/csv' }],
  ['a filter that it does not pass', '?FUNCTION->>email=lt.n', { Accept: 'text/csv' }],
];

test.each(
  Object.keys(LOOKS).flatMap((name) => UNDONE.map(([how, query, headers]) => [name, how, query, headers] as const)),
)('%s cannot be undone by %s, and says nothing then [K101]', async (name, _, query, headers) => {
  const before = await entries();
  const { status, text } = await look(name + query.replace('FUNCTION', name), LOOKS[name], headers);
  expect([status, JSON.parse(text)]).toMatchObject([400, { code: 'PT400' }]);
  for (const secret of [concerned.email, concerned.id]) expect(text).not.toContain(secret);
  expect(await entries()).toBe(before);
});

test('the plain response is one, with the entry', async () => {
  const before = (await entries()) ?? 0;
  expect((await look('look_at_contact_details', details, {})).text).toContain(concerned.email);
  expect((await look('look_at_contact_details', details, { Prefer: 'tx=commit, return=minimal' })).status).toBe(204);
  expect(await entries()).toBe(before + 2);
});

test('every function that writes what an operator looked at asks whether it can be undone', async () => {
  const without = await database.query(`
    select proname from pg_proc where prosrc ~ 'note_operator\\(' and prosrc !~ 'internal\\.require_operator\\(\\)'`);
  expect(without).toEqual([]);
});

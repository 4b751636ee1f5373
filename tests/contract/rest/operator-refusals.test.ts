import { expect, test } from 'vitest';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { operatorClient } from '#tests/support/factories/operator-client.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
// Only then does the console make links.
const server = await startTestServer(database, { environment: { SMTP_URL: 'none', MAIL_FROM: '' } });
const operator = await operatorClient(server);
const { data: session } = await operator.auth.getSession();
const operatorId = session.session?.user.id ?? '';

const concerned = await createOwner(database);
const colleague = await createOwner(database);
await database.query('select public.add_operator($1)', [colleague.id]);
const byPhone = await createOwner(database);
const claimed = anEmail();
await database.query(
  `update auth.users set email = null, email_confirmed_at = null, claimed_email = $2, phone = $3,
    phone_confirmed_at = now() where id = $1`,
  [byPhone.id, claimed, aPhone().slice(1)],
);
const item = await createItem(database, concerned);
await database.query('select internal.report_page($1, $2, $3)', [item.qrId, 'abuse', 'It lies']);
const [report] = await database.query<{ id: string }>('select id from internal.reports');

const MISSING = crypto.randomUUID();
type Arguments = Readonly<Record<string, unknown>>;
const about = (known: Arguments, missing: Arguments) => ({ known, missing });
const accountAct = (id: string, act: string) => ({ user_id_param: id, act_param: act });
const reportAct = (id: string | undefined, act: string) => ({ report_id_param: id, act_param: act });
const batch = { batch_id_param: MISSING };
const desk = { name_param: '', place_param: '', time_zone_param: 'Nowhere', week_param: [] };

/** Calls that are refused about known, about missing, or both; an empty list is of functions that refuse no operator. */
const REFUSED: Readonly<Record<string, readonly { known: Arguments; missing: Arguments }[]>> = {
  make_link: [
    about({ email_param: concerned.email }, { email_param: anEmail() }),
    about(
      { email_param: colleague.email, reason_param: 'They forgot' },
      { email_param: anEmail(), reason_param: 'They forgot' },
    ),
    about(
      { email_param: claimed, reason_param: 'They forgot' },
      { email_param: aPhone(), reason_param: 'They forgot' },
    ),
  ],
  look_at_contact_details: [
    about({ user_id_param: concerned.id, reason_param: '' }, { user_id_param: MISSING, reason_param: 'A lost letter' }),
  ],
  act_on_account: [
    about(accountAct(concerned.id, 'promote'), accountAct(MISSING, 'promote')),
    about(accountAct(colleague.id, 'disable'), accountAct(MISSING, 'disable')),
  ],
  act_on_report: [
    about(reportAct(report?.id, 'answer'), reportAct(MISSING, 'answer')),
    about(reportAct(report?.id, 'take_down'), reportAct(MISSING, 'take_down')),
  ],
  fill_batch: [about(batch, batch)],
  act_on_batch: [about({ ...batch, act_param: 'void' }, { ...batch, act_param: 'restore' })],
  make_batch: [about({ label_param: concerned.fullName, size_param: 0 }, { label_param: 'Fair', size_param: 0 })],
  save_desk: [
    about({ ...desk, desk_id_param: concerned.id }, { ...desk, desk_id_param: MISSING }),
    about(desk, { ...desk, phone_param: 'x' }),
  ],
  look_at_batch_codes: [],
  look_at_batches: [],
  look_at_deliveries: [],
  look_at_desks: [],
  look_at_reports: [],
  look_at_returns: [],
  look_at_service: [],
  look_for_account: [],
  remove_desk: [],
};
/** Whose refusals are about no person: each says the same of known and of missing, or concerns batches and desks. */
const OF_NO_PERSON = ['fill_batch', 'act_on_batch', 'make_batch', 'save_desk'];

const entries = () =>
  database.query<{ user_id: string | null; details: unknown }>(
    "select user_id, details from auth.audit_log where event = 'operator_refused' order by id",
  );

test('every function of the console is tried here', async () => {
  const rows = await database.query<{ name: string }>(
    `select proname as name from pg_proc
      where prosrc like '%internal.require_operator()%' and pronamespace = 'public'::regnamespace order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(REFUSED).sort());
});

test.each(Object.entries(REFUSED).flatMap(([name, calls]) => calls.map((call, index) => [name, index, call] as const)))(
  'what %s refuses an operator reveals nothing about an account without an entry (%i) [K101]',
  async (name, _, call) => {
    const before = (await entries()).length;
    const known = await operator.rpc(name, call.known);
    const missing = await operator.rpc(name, call.missing);
    const refusals = [known, missing].flatMap(({ error }) => error?.code ?? []);
    expect(refusals).not.toEqual([]);
    for (const code of refusals) expect(code).not.toMatch(/^(42501|PT403|PT400|PGRST\d+)$/);
    const reveals = known.error?.code !== missing.error?.code && !OF_NO_PERSON.includes(name);
    expect((await entries()).length - before).toBe(reveals ? refusals.length : 0);
  },
);

test('the entry of a refusal has the account, the operator, and why, and neither address nor number', async () => {
  await database.query('delete from auth.audit_log');
  await operator.rpc('make_link', { email_param: ` ${colleague.email.toUpperCase()}`, reason_param: 'They forgot' });
  await operator.rpc('make_link', { email_param: aPhone(), reason_param: 'They forgot' });
  const details = { what: 'make_link', operator: operatorId };
  expect(await entries()).toEqual([
    { user_id: colleague.id, details: { ...details, code: 'PT409' } },
    { user_id: null, details: { ...details, code: 'PT404' } },
  ]);
});

test('a refusal whose entry cannot be written is not given', async () => {
  await database.query('revoke insert on auth.audit_log from service_role');
  const { error } = await operator.rpc('act_on_account', accountAct(colleague.id, 'disable'));
  expect(error?.code).not.toBe('PT409');
  expect(error?.message).not.toContain('operator');
  await database.query('grant insert on auth.audit_log to service_role');
});

test('an account that is no operator’s fills no log', async () => {
  const before = (await entries()).length;
  const email = anEmail();
  const service = server.client({ key: server.secrets.secretKey });
  await service.auth.admin.createUser({ email, password: 'correct horse', email_confirm: true });
  const client = server.client();
  await client.auth.signInWithPassword({ email, password: 'correct horse' });
  expect((await client.rpc('make_link', { email_param: concerned.email })).error?.code).toBe('42501');
  expect((await entries()).length).toBe(before);
});

import { expect } from 'vitest';
import { changes, type FunctionPolicy, NO_ROLES, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

/** Nothing has this id. */
const MISSING = '4dd4ac13-4be2-4a8d-9a3c-6f5e1f3b7a02';

/** Open on Mondays, into the night. */
const WEEK = JSON.stringify([
  [
    ['09:00', '12:00'],
    ['18:00', '02:00'],
  ],
  [],
  [],
  [],
  [],
  [],
  [],
]);

/** How often an operator looked at this, or did this. */
const NOTED = "select count(*)::int from auth.audit_log where event like 'operator_%' and details ->> 'what' = $1";

const OPERATORS = 'select count(*)::int from internal.operators where user_id = $1';

/** A function of the console: refused to whoever has no role, and open to the command line. */
function forOperators(
  given: (seed: Seed) => readonly unknown[],
  what: string,
  response: ((seed: Seed) => unknown) | null = null,
): FunctionPolicy {
  return {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'owner', shows: 'nothing without the role', given, outcome: refused('42501') },
      { as: 'stranger', shows: 'nothing for any account', given, outcome: refused('42501') },
      {
        as: 'service',
        shows: 'is in the audit log',
        given,
        outcome: changes(
          NOTED,
          () => [what],
          () => 1,
          response,
        ),
      },
    ],
  };
}

/** What operators look at and do in the console. `operators.test.ts` has those of accounts with the role. */
export const OPERATOR_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'internal.require_operator()': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [{ as: 'service', shows: 'the secret key passes', given: () => [], outcome: returns(() => '') }],
  },
  'internal.note_operator(text, text, uuid, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'an entry',
        given: ({ owner }) => ['operator_looked', 'account', owner.account.id, null],
        outcome: changes(
          NOTED,
          () => ['account'],
          () => 1,
        ),
      },
    ],
  },
  'internal.note_refusal(uuid, text, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'an entry about an operator',
        given: ({ bystander, owner }) => [bystander.account.id, 'make_link', owner.account.id, 'PT409'],
        outcome: changes(
          NOTED,
          () => ['make_link'],
          () => 1,
        ),
      },
    ],
  },
  'internal.audit_operator()': { executableBy: NO_ROLES },
  'internal.queue_state()': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'what is due, and no failure of jobs that were never tried',
        given: () => [],
        outcome: returns(() => ({ due: expect.any(Number), oldest_due_seconds: expect.any(Number), failed: [] })),
      },
    ],
  },
  'public.list_operators()': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'those with the role',
        given: () => [],
        outcome: returns(({ bystander }) => [expect.objectContaining({ id: bystander.account.id })]),
      },
    ],
  },
  'public.add_operator(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the account has the role',
        given: ({ owner }) => [owner.account.id],
        outcome: changes(
          OPERATORS,
          ({ owner }) => [owner.account.id],
          () => 1,
          () => true,
        ),
      },
      { as: 'service', shows: 'no account that is not there', given: () => [MISSING], outcome: refused('23503') },
    ],
  },
  'public.remove_operator(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the account no longer has the role',
        given: ({ bystander }) => [bystander.account.id],
        outcome: changes(
          OPERATORS,
          ({ bystander }) => [bystander.account.id],
          () => 0,
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'an account without the role',
        given: ({ owner }) => [owner.account.id],
        outcome: returns(() => false),
      },
    ],
  },
  'public.look_at_service()': forOperators(
    () => [],
    'service',
    () => expect.objectContaining({ open_reports: 1 }),
  ),
  'public.look_at_returns()': forOperators(
    () => [],
    'returns',
    () => expect.objectContaining({ returned: expect.any(Array) }),
  ),
  'public.look_at_deliveries()': forOperators(
    () => [],
    'deliveries',
    () => [],
  ),
  'public.look_for_account(text)': forOperators(
    ({ owner }) => [` ${owner.account.email.toUpperCase()} `],
    'account',
    ({ owner }) => [expect.objectContaining({ id: owner.account.id })],
  ),
  'public.look_at_contact_details(uuid, text)': forOperators(
    ({ owner }) => [owner.account.id, 'They asked by phone'],
    'contact_details',
    ({ owner }) => expect.objectContaining({ email: owner.account.email }),
  ),
  'public.act_on_account(uuid, text)': forOperators(({ owner }) => [owner.account.id, 'end_sessions'], 'end_sessions'),
  'public.make_link(text, text)': forOperators(
    ({ owner }) => [owner.account.email, 'They forgot it'],
    'make_link',
    () => expect.objectContaining({ kind: 'recovery' }),
  ),
  'public.look_at_reports(boolean)': forOperators(
    () => [false],
    'reports',
    () => expect.objectContaining({ total: 1 }),
  ),
  'public.act_on_report(uuid, text, text)': forOperators(
    ({ report }) => [report.id, 'close', null],
    'close_report',
    () => 'done',
  ),
  'public.look_at_batches()': forOperators(
    () => [],
    'batches',
    ({ batch }) => [expect.objectContaining({ id: batch, claimed: expect.any(Number) })],
  ),
  'public.look_at_desks()': forOperators(
    () => [],
    'desks',
    ({ desk }) => [expect.objectContaining({ id: desk, days: {} })],
  ),
  'public.save_desk(text, text, text, jsonb, jsonb, text, text[], integer, uuid)': forOperators(
    ({ desk }) => ['Station', 'Hall 1', 'Europe/Berlin', WEEK, '{}', null, ['de'], null, desk],
    'save_desk',
    ({ desk }) => desk,
  ),
  'public.remove_desk(uuid)': forOperators(
    ({ desk }) => [desk],
    'remove_desk',
    () => true,
  ),
  'public.make_batch(text, integer, text)': forOperators(
    () => ['School fair', 3, null],
    'make_batch',
    () => expect.any(String),
  ),
  'public.fill_batch(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'nothing without the role',
        given: ({ batch }) => [batch],
        outcome: refused('42501'),
      },
      {
        as: 'service',
        shows: 'the batch has all its codes',
        given: ({ batch }) => [batch],
        outcome: changes(
          'select recorded from public.sticker_batches where id = $1',
          ({ batch }) => [batch],
          () => 3,
          () => 3,
        ),
      },
      { as: 'service', shows: 'no batch that is not there', given: () => [MISSING], outcome: refused('PT404') },
    ],
  },
  'public.look_at_batch_codes(uuid, integer)': forOperators(
    ({ batch }) => [batch, 0],
    'batch_codes',
    () => [expect.objectContaining({ place: 1 })],
  ),
  'public.act_on_batch(uuid, text, text, boolean)': forOperators(
    ({ batch }) => [batch, 'void', 'Stolen', false],
    'void_batch',
    () => expect.any(Number),
  ),
};

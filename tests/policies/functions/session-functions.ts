import { createHash } from 'node:crypto';
import { ALL_ROLES, changes, type FunctionPolicy, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';

const NO_SESSION = '00000000-0000-4000-8000-000000000000';

/** Sessions, recovery codes and the audit log. What they do for a real session is in `tests/contract/auth`. */
export const SESSION_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.list_sessions()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'stranger', shows: 'no other account’s', given: () => [], outcome: returns(() => undefined) },
      { as: 'service', shows: 'no account’s', given: () => [], outcome: returns(() => undefined) },
    ],
  },
  'public.end_session(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a missing session',
        given: () => [NO_SESSION],
        outcome: refused('PT404'),
      },
      {
        as: 'stranger',
        shows: 'no other account’s',
        given: ({ owner }) => [owner.session],
        outcome: refused('PT404'),
      },
      { as: 'service', shows: 'it has none', given: ({ owner }) => [owner.session], outcome: refused('PT404') },
      {
        as: 'owner',
        shows: 'their own',
        given: ({ owner }) => [owner.session],
        outcome: changes(
          'select count(*)::int from auth.sessions where user_id = $1',
          ({ owner }) => [owner.account.id],
          () => 0,
        ),
      },
    ],
  },
  // Which devices count, for sessions with and without a second factor: tests/contract/auth/second-factor-lock-out.test.ts.
  'internal.is_known_device(uuid, bytea)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'no device if none is named',
        given: ({ owner }) => [owner.account.id, null],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.known_device_of_session(uuid)': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'none without a session', given: () => [NO_SESSION], outcome: returns(() => null) },
    ],
  },
  'public.make_recovery_codes()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'owner', shows: 'a token without a session', given: () => [], outcome: refused('42501') },
      { as: 'service', shows: 'it has no account', given: () => [], outcome: refused('42501') },
    ],
  },
  'public.has_password()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'none, in an account that was seeded without',
        given: () => [],
        outcome: returns(() => false),
      },
      { as: 'service', shows: 'it has no account', given: () => [], outcome: returns(() => false) },
    ],
  },
  'public.count_unproved_notices()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'owner', shows: 'their own', given: () => [], outcome: returns(() => 1) },
      { as: 'stranger', shows: 'none', given: () => [], outcome: returns(() => 0) },
      { as: 'service', shows: 'it has no account', given: () => [], outcome: returns(() => 0) },
    ],
  },
  'public.count_recovery_codes()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'owner', shows: 'their own', given: () => [], outcome: returns(() => 1) },
      { as: 'stranger', shows: 'none', given: () => [], outcome: returns(() => 0) },
      { as: 'service', shows: 'it has no account', given: () => [], outcome: returns(() => 0) },
    ],
  },
  'public.use_recovery_code(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: (['anon', 'owner', 'service'] as const).map((as) => ({
      as,
      shows: 'a malformed code',
      given: () => ['0000-0000-0000-0000'],
      outcome: refused('22023'),
    })),
  },
  'internal.hash_recovery_code(text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the same hash for a code as shown and as typed',
        given: () => ['OiL0-abcd EFGH_jkmn'],
        outcome: returns(() => hashOf('0110abcdefghjkmn')),
      },
    ],
  },
  'internal.record_failure(text, uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a failure of this hour',
        given: ({ owner }) => ['sign_in_failed', owner.account.id],
        outcome: changes(
          "select sum(times)::int from auth.audit_log where event = 'sign_in_failed' and user_id = $1",
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
    ],
  },
  'internal.record_event(text, uuid, uuid, jsonb)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a line in the log',
        given: ({ owner }) => ['recovery_codes_made', owner.account.id, null, '{}'],
        outcome: changes(
          "select count(*)::int from auth.audit_log where event = 'recovery_codes_made' and user_id = $1",
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
    ],
  },
};

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

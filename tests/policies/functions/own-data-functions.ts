import { expect } from 'vitest';
import { changes, type FunctionPolicy, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';

/** What belongs to an account as a whole. tests/contract/own-data.test.ts shows what they do for their owner. */
export const OWN_DATA_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.export_my_data()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'not with a token of an unknown session',
        given: () => [],
        outcome: refused('PT403'),
      },
      {
        as: 'service',
        shows: 'nothing for the service, which has no account',
        given: () => [],
        outcome: returns(() => null),
      },
    ],
  },
  'public.list_account_changes()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'what was added to their account',
        given: () => [],
        outcome: returns(() =>
          expect.objectContaining({
            additions: expect.arrayContaining([
              expect.objectContaining({ kind: 'second_contact', name: 'friend@example.com' }),
              expect.objectContaining({ kind: 'notice_address', name: 'hook.example.com' }),
            ]),
          }),
        ),
      },
      {
        as: 'stranger',
        shows: 'nothing of other accounts',
        given: () => [],
        outcome: returns(() => ({ changes: [], additions: [] })),
      },
      {
        as: 'service',
        shows: 'nothing for the service, which has no account',
        given: () => [],
        outcome: returns(() => ({ changes: [], additions: [] })),
      },
    ],
  },
  'public.export_account(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the account that it names',
        given: ({ owner }) => [owner.account.id],
        outcome: returns(({ owner }) =>
          expect.objectContaining({
            account: expect.objectContaining({ id: owner.account.id }),
            profile: expect.objectContaining({ id: owner.account.id }),
            items: expect.arrayContaining([expect.objectContaining({ user_id: owner.account.id })]),
          }),
        ),
      },
      { as: 'service', shows: 'nothing without an id', given: () => [null], outcome: returns(() => null) },
    ],
  },
  'public.remove_added_identifier(text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'owner', shows: 'nothing that came first goes', given: () => ['phone'], outcome: refused('PT404') },
      {
        as: 'stranger',
        shows: 'not with a token of an unknown session',
        given: () => ['phone'],
        outcome: refused('PT403'),
      },
      { as: 'service', shows: 'it has no session', given: () => ['phone'], outcome: refused('PT403') },
    ],
  },
  'internal.list_added_identifiers(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing of an unknown account',
        given: () => [null],
        outcome: returns(() => undefined),
      },
    ],
  },
  'internal.remove_identifier(uuid, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the number goes from the profile, too',
        given: ({ owner }) => [owner.account.id, 'phone'],
        outcome: changes(
          'select phone from public.profiles where id = $1',
          ({ owner }) => [owner.account.id],
          () => null,
        ),
      },
    ],
  },
  'internal.require_recent_proof()': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [{ as: 'service', shows: 'it has no session', given: () => [], outcome: refused('PT403') }],
  },
  'internal.make_lasting_change(text, uuid, text)': {
    executableBy: SERVICE,
    actsAs: 'service_role',
    cases: [
      {
        as: 'service',
        shows: 'what the service does is logged',
        given: ({ owner }) => ['second_contact_removed', owner.account.id, null],
        outcome: changes(
          "select count(*)::int from auth.audit_log where event = 'second_contact_removed' and user_id = $1",
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
    ],
  },
  'internal.is_recent_proof(timestamp with time zone, timestamp with time zone)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a proof that is a day old is not recent',
        given: () => ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
        outcome: returns(() => false),
      },
      {
        as: 'service',
        shows: 'a newer proof is recent',
        given: () => ['2026-01-01T00:00:01Z', '2026-01-02T00:00:00Z'],
        outcome: returns(() => true),
      },
    ],
  },
  'public.delete_my_account()': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'not with a token whose session does not exist',
        given: () => [],
        outcome: refused('PT403'),
      },
      { as: 'service', shows: 'not by the service, which has no account', given: () => [], outcome: refused('42501') },
    ],
  },
};

import { changes, type FunctionPolicy, refused, SERVICE, SIGNED_IN } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const JOBS = "select count(*)::int from graphile_worker.jobs where task_identifier = 'send_notice'";
const ADDRESS = ['ntfy', 'Phone', 'https://ntfy.example.com/topic', 'tk_token', true] as const;

/** Webhooks and ntfy topics of owners. */
export const NOTICE_ADDRESS_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.add_notice_address(text, text, text, text, boolean)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'service', shows: 'it has no account', given: () => ADDRESS, outcome: refused('42501') },
      {
        as: 'stranger',
        shows: 'not with a token of an unknown session',
        given: () => ADDRESS,
        outcome: refused('PT403'),
      },
    ],
  },
  'public.send_test_notice(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'no other account’s address',
        given: ({ owner }) => [owner.noticeAddress],
        outcome: refused('PT404'),
      },
      {
        as: 'service',
        shows: 'it has no address',
        given: ({ owner }) => [owner.noticeAddress],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'their own address',
        given: ({ owner }: Seed) => [owner.noticeAddress],
        outcome: changes(
          `${JOBS} and key = 'send_notice:' || $1 || ':test'`,
          ({ owner }) => [owner.noticeAddress],
          () => 1,
        ),
      },
    ],
  },
  'public.send_test_message(text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      { as: 'service', shows: 'it has no address', given: () => ['email'], outcome: refused('PT404') },
      { as: 'owner', shows: 'not by a way that there is not', given: () => ['pigeon'], outcome: refused('PT404') },
      {
        as: 'owner',
        shows: 'their own address',
        given: () => ['email'],
        outcome: changes(
          "select count(*)::int from graphile_worker.jobs where key = 'send_test_message:email:' || $1",
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
    ],
  },
  'internal.enqueue_test_message(uuid, text)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.account.id, 'email'],
        outcome: changes(
          "select count(*)::int from graphile_worker.jobs where key = 'send_test_message:email:' || $1",
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
    ],
  },
  'internal.enqueue_notice(uuid, uuid)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.noticeAddress, owner.messageId],
        outcome: changes(
          `${JOBS} and key = 'send_notice:' || $1 || ':' || $2`,
          ({ owner }) => [owner.noticeAddress, owner.messageId],
          () => 1,
        ),
      },
    ],
  },
};

import { changes, type FunctionPolicy, refused, SERVICE, SIGNED_IN } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const JOBS = "select count(*)::int from graphile_worker.jobs where task_identifier = 'send_push'";
const SUBSCRIPTION = [
  'https://push.example.com/new',
  `B${'p'.repeat(86)}`,
  'a'.repeat(22),
  `B${'s'.repeat(86)}`,
] as const;

/** Web Push. What it does for a real session is in `tests/contract/rest/push-subscriptions.test.ts`. */
export const PUSH_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.save_push_subscription(text, text, text, text)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'a token whose session has ended',
        given: () => SUBSCRIPTION,
        outcome: refused('42501'),
      },
      { as: 'service', shows: 'it has no session', given: () => SUBSCRIPTION, outcome: refused('42501') },
    ],
  },
  'public.send_test_push(uuid)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'stranger',
        shows: 'no other account’s device',
        given: ({ owner }) => [owner.pushSubscription],
        outcome: refused('PT404'),
      },
      {
        as: 'service',
        shows: 'it has no device',
        given: ({ owner }) => [owner.pushSubscription],
        outcome: refused('PT404'),
      },
      {
        as: 'owner',
        shows: 'their own device',
        given: ({ owner }: Seed) => [owner.pushSubscription],
        outcome: changes(
          `${JOBS} and key = 'send_push:' || $1 || ':test'`,
          ({ owner }) => [owner.pushSubscription],
          () => 1,
        ),
      },
    ],
  },
  'internal.enqueue_push(uuid, uuid)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.pushSubscription, owner.messageId],
        outcome: changes(
          `${JOBS} and key = 'send_push:' || $1 || ':' || $2`,
          ({ owner }) => [owner.pushSubscription, owner.messageId],
          () => 1,
        ),
      },
    ],
  },
};

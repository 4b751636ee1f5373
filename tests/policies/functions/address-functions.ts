import { ALL_ROLES, changes, type FunctionPolicy, refused, returns, SERVICE } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const ADDRESS = 'select claimed_email from auth.users where id = $1';
const stranger = ({ stranger: { id } }: Seed) => [id];

/** Functions about claimed addresses and mails to them. */
export const ADDRESS_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.disown_address(text)': {
    executableBy: ALL_ROLES,
    actsAs: 'service_role',
    cases: [
      ...(['anon', 'owner', 'service'] as const).map((as) => ({
        as,
        shows: 'the holder of the link removes the address',
        given: () => ['not mine'],
        outcome: changes(
          ADDRESS,
          stranger,
          () => null,
          () => true,
        ),
      })),
      {
        as: 'anon',
        shows: 'nothing without a link',
        given: () => ['something else'],
        outcome: returns(() => false),
      },
    ],
  },
  // The job queue belongs to the account that migrated. The function accepts only the kind of mail and its account.
  'internal.enqueue_account_mail(text, uuid, text)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'an email is enqueued',
        given: ({ owner }) => ['password_changed', owner.account.id, null],
        outcome: changes(
          `select payload ->> 'kind' from graphile_worker._private_jobs
             where payload ->> 'user_id' = $1 and payload ->> 'kind' is not null`,
          ({ owner }) => [owner.account.id],
          () => 'password_changed',
        ),
      },
      {
        as: 'service',
        shows: 'only for a known kind',
        given: ({ owner }) => ['advertisement', owner.account.id, null],
        outcome: refused('22023'),
      },
    ],
  },
};

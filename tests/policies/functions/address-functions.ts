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
        given: ({ owner }) => ['address_lost', owner.account.id, null],
        outcome: changes(
          `select payload ->> 'kind' from graphile_worker._private_jobs
             where payload ->> 'user_id' = $1 and payload ->> 'kind' is not null order by id desc limit 1`,
          ({ owner }) => [owner.account.id],
          () => 'address_lost',
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
  // The job queue belongs to the account that migrated.
  'internal.enqueue_change_notice(text, uuid, uuid, text)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a notice is enqueued',
        given: ({ owner }) => ['password_changed', owner.account.id, owner.session, null],
        outcome: changes(
          `select payload ->> 'kind' from graphile_worker._private_jobs
             where payload ->> 'user_id' = $1 and payload ->> 'kind' is not null order by id desc limit 1`,
          ({ owner }) => [owner.account.id],
          () => 'password_changed',
        ),
      },
    ],
  },
  'internal.end_pending_changes(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'open offers of the account end',
        given: ({ owner }) => [owner.account.id],
        outcome: changes(
          'select count(*)::int from public.item_offers where giver_id = $1',
          ({ owner }) => [owner.account.id],
          () => 0,
        ),
      },
    ],
  },
  'internal.replace_imported_hash(uuid, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'no row changes where the account has another hash',
        given: ({ owner }) => [owner.account.id, 'another hash', 'a hash'],
        outcome: returns(() => ''),
      },
    ],
  },
  'internal.undo_changes(uuid, uuid, timestamp with time zone, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'every session of the account ends',
        given: ({ owner }) => [owner.account.id, null, new Date(), null, null],
        outcome: changes(
          'select count(*)::int from auth.sessions where user_id = $1',
          ({ owner }) => [owner.account.id],
          () => 0,
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'nothing of an account that is gone',
        given: () => ['00000000-0000-4000-8000-000000000000', null, new Date(), null, null],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.note_sign_out_elsewhere(uuid, uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing where the account has no other session',
        given: ({ owner }) => [owner.account.id, owner.session],
        outcome: returns(() => ''),
      },
    ],
  },
};

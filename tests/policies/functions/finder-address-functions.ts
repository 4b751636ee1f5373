import { changes, type FunctionPolicy, refused, returns, SERVICE } from '../function-policy.ts';

/** Nothing has this id. */
const MISSING = '0f6f7c1f-7c7b-4b2e-9a55-0a8e0c1b7a11';
const JOB = 'select count(*)::int from graphile_worker.jobs where key = $1';

/** The addresses that finders leave. What is sent to them is in `tests/web/finder-email.test.ts`. */
export const FINDER_ADDRESS_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'internal.enqueue_finder_proof(uuid)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: ({ owner }) => [owner.finderAddress],
        outcome: changes(
          JOB,
          ({ owner }) => [`prove_finder_address:${owner.finderAddress}`],
          () => 1,
        ),
      },
    ],
  },
  'internal.enqueue_reply_notice(uuid)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job in a minute',
        given: ({ owner }) => [owner.conversationId],
        outcome: changes(
          "select run_at > now() + interval '50 seconds' from graphile_worker.jobs where key = $1",
          ({ owner }) => [`notify_finder_of_reply:${owner.conversationId}`],
          () => true,
        ),
      },
    ],
  },
  'internal.leave_finder_address(uuid, text, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'another address in place of the one before, under another id, with a job',
        given: ({ owner }) => [owner.conversationId, 'another@example.net', owner.item.qrId, 'en'],
        outcome: changes(
          `select concat_ws('/', address.address, address.id <> $2, exists (
               select from graphile_worker.jobs where key = 'prove_finder_address:' || address.id
             ))
             from internal.finder_addresses as address where conversation_id = $1`,
          ({ owner }) => [owner.conversationId, owner.finderAddress],
          () => 'another@example.net/t/t',
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'the same address keeps its id',
        given: ({ owner }) => [owner.conversationId, 'finder@example.net', 'tgt-another', 'en'],
        outcome: changes(
          'select qr_id from internal.finder_addresses where id = $1',
          ({ owner }) => [owner.finderAddress],
          () => 'tgt-another',
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'nothing for a conversation that is gone',
        given: () => [MISSING, 'another@example.net', 'tgt-another', 'en'],
        outcome: returns(() => false),
      },
      {
        as: 'service',
        shows: 'no address of more than 254 characters',
        given: ({ owner }) => [owner.conversationId, `${'a'.repeat(254)}@example.net`, owner.item.qrId, 'en'],
        outcome: refused('23514'),
      },
    ],
  },
  'internal.prove_finder_address(uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'it is proved, and kept for as long as a browser keeps its key',
        given: ({ owner }) => [owner.finderAddress],
        outcome: changes(
          `select proved_at is not null and expires_at > now() + interval '89 days'
             from internal.finder_addresses where id = $1`,
          ({ owner }) => [owner.finderAddress],
          () => true,
          () => 'finder@example.net',
        ),
      },
      { as: 'service', shows: 'nothing for another id', given: () => [MISSING], outcome: returns(() => null) },
    ],
  },
  'internal.look_at_conversation(uuid, uuid[])': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing where no reply waits',
        given: ({ owner }) => [owner.conversationId, `{${owner.messageId}}`],
        outcome: returns(() => ''),
      },
    ],
  },
};

import { changes, type FunctionPolicy, refused, returns, SERVICE, SIGNED_IN } from '../function-policy.ts';
import type { Seed } from '../seed.ts';

const MOMENT = '2026-11-23T23:30:00Z';
/** The further arguments of a reply that is a text alone. */
const NO_PHRASE = ['text', null, null, null, null];

const MESSAGE = '6b8f3f0e-2f0c-4d8b-9a33-0c1d2e3f4a5b';
const token = ({ owner }: Seed) => owner.contactToken;
const NO_TOKEN = Buffer.alloc(32);
const CONTACTS = 'select count(*)::int from public.second_contacts where owner_id = $1';

/** Second contacts. What their pages do is in `tests/web/second-contact.test.ts`. */
export const CONTACT_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'public.invite_second_contact(text, text, boolean)': {
    executableBy: SIGNED_IN,
    actsAs: 'service_role',
    cases: [
      {
        as: 'owner',
        shows: 'a contact of their own',
        given: () => ['another@example.com', null, true],
        outcome: changes(
          CONTACTS,
          ({ owner }) => [owner.account.id],
          () => 2,
        ),
      },
      {
        as: 'owner',
        shows: 'one that was invited already',
        given: () => ['Friend@example.com ', null, false],
        outcome: refused('PT409'),
      },
      { as: 'owner', shows: 'no address', given: () => [null, null, false], outcome: refused('23514') },
      {
        as: 'service',
        shows: 'it has no account',
        given: () => ['a@example.com', null, false],
        outcome: refused('42501'),
      },
    ],
  },
  'internal.enqueue_contact_invitation(uuid)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: [
      {
        as: 'service',
        shows: 'a job',
        given: () => [MESSAGE],
        outcome: changes(
          'select count(*)::int from graphile_worker.jobs where key = $1',
          () => [`invite_second_contact:${MESSAGE}`],
          () => 1,
        ),
      },
    ],
  },
  'internal.enqueue_contact_notice(uuid, uuid, timestamp with time zone, text)': {
    executableBy: SERVICE,
    actsAs: 'the migrating account',
    cases: ['preserve_run_at', 'replace'].map((mode) => ({
      as: 'service',
      shows: `a job, in mode ${mode}`,
      given: ({ owner }) => [MESSAGE, owner.conversationId, MOMENT, mode],
      outcome: changes(
        'select run_at from graphile_worker.jobs where key = $1',
        ({ owner }) => [`notify_second_contact:${MESSAGE}:${owner.conversationId}`],
        () => new Date(MOMENT),
      ),
    })),
  },
  'internal.way_of_contact(uuid)': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'an email where there is no number', given: () => [MESSAGE], outcome: returns(() => '') },
    ],
  },
  'internal.enqueue_notices_of_unseen(uuid, uuid)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing for a contact that does not exist',
        given: () => [MESSAGE, null],
        outcome: returns(() => ''),
      },
    ],
  },
  'internal.read_as_contact(bytea)': {
    executableBy: SERVICE,
    cases: [
      { as: 'service', shows: 'nothing for a token of none', given: () => [NO_TOKEN], outcome: returns(() => null) },
    ],
  },
  'internal.agree_as_contact(bytea)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a link to a conversation agrees to nothing',
        given: (seed) => [token(seed)],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.leave_as_contact(bytea)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the contact of the link left',
        given: (seed) => [token(seed)],
        outcome: changes(
          `${CONTACTS} and left_at is not null`,
          ({ owner }) => [owner.account.id],
          () => 1,
          () => true,
        ),
      },
      { as: 'service', shows: 'none for a token of none', given: () => [NO_TOKEN], outcome: returns(() => false) },
    ],
  },
  'internal.note_contact_language(bytea, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the language of the contact of the link',
        given: (seed) => [token(seed), 'th'],
        outcome: changes(
          `${CONTACTS} and language = 'th'`,
          ({ owner }) => [owner.account.id],
          () => 1,
        ),
      },
      {
        as: 'service',
        shows: 'none for a token of none',
        given: () => [NO_TOKEN, 'th'],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.set_contact_quiet_hours(bytea, time without time zone, time without time zone, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'the quiet hours of the contact of the link',
        given: (seed) => [token(seed), '22:00', '07:00', 'UTC'],
        outcome: changes(
          `${CONTACTS} and quiet_from = '22:00'`,
          ({ owner }) => [owner.account.id],
          () => 1,
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'none for a token of none',
        given: () => [NO_TOKEN, '22:00', '07:00', 'UTC'],
        outcome: returns(() => false),
      },
    ],
  },
  'internal.reply_as_contact(bytea, text, uuid, text, text, timestamp with time zone, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'a reply in the conversation of the link',
        given: (seed) => [token(seed), ' Thank you ', MESSAGE, ...NO_PHRASE],
        outcome: changes(
          'select count(*)::int from public.messages where conversation_id = $1 and by_contact and body = $2',
          ({ owner }) => [owner.conversationId, 'Thank you'],
          () => 1,
          () => true,
        ),
      },
      {
        as: 'service',
        shows: 'an empty reply',
        given: (seed) => [token(seed), ' ', MESSAGE, ...NO_PHRASE],
        outcome: refused('22023'),
      },
      {
        as: 'service',
        shows: 'none for a token of none',
        given: () => [NO_TOKEN, 'Thank you', MESSAGE, ...NO_PHRASE],
        outcome: returns(() => false),
      },
    ],
  },
};

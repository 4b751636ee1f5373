import {
  ALL_ROLES,
  changes,
  type FunctionCase,
  type FunctionPolicy,
  NO_ROLES,
  returns,
  SERVICE,
} from '../function-policy.ts';

/** Without a policy of the operator nobody may send, and the call neither sends nor fails. */
const withoutPolicy = (given: FunctionCase['given']): readonly FunctionCase[] =>
  (['anon', 'owner'] as const).map((as) => ({ as, shows: 'no row and no failure', given, outcome: returns(() => '') }));

/** Which tables tell their changes. Publishing one is a migration's business. */
export const REALTIME_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'realtime.describe_table(text, text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'nothing for a table that is not published',
        given: () => ['auth', 'users', 'anon'],
        outcome: returns(() => null),
      },
    ],
  },
  'realtime.capture_table(regclass)': { executableBy: NO_ROLES },
  'realtime.publish_table(regclass)': { executableBy: NO_ROLES },
  'realtime.topic()': {
    executableBy: ALL_ROLES,
    cases: (['anon', 'owner', 'service'] as const).map((as) => ({
      as,
      shows: 'nothing outside of a channel',
      given: () => [],
      outcome: returns(() => null),
    })),
  },
  'realtime.tell(text, text)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'no row',
        given: () => ['realtime_broadcast', '{}'],
        outcome: returns(() => ''),
      },
    ],
  },
  'realtime.access_to(text, text, jsonb)': {
    executableBy: SERVICE,
    cases: [
      {
        as: 'service',
        shows: 'that a private channel without a policy allows nothing, and leaves no row of the check',
        given: () => ['room', 'authenticated', '{}'],
        outcome: returns(() => ({
          broadcast: { read: false, write: false },
          presence: { read: false, write: false },
        })),
      },
    ],
  },
  'realtime.send(jsonb, text, text, boolean)': {
    executableBy: ALL_ROLES,
    cases: [
      ...withoutPolicy(() => ['{"a": 1}', 'shout', 'room', true]),
      {
        as: 'service',
        shows: 'a broadcast',
        given: () => ['{"a": 1}', 'shout', 'room', true],
        outcome: changes(
          "select count(*)::integer from realtime.messages where topic = 'room' and event = 'shout' and private",
          () => [],
          () => 1,
        ),
      },
    ],
  },
  'realtime.send_binary(bytea, text, text, boolean)': {
    executableBy: ALL_ROLES,
    cases: [
      ...withoutPolicy(() => ['\\x00ff', 'picture', 'room', true]),
      {
        as: 'service',
        shows: 'a broadcast of bytes',
        given: () => ['\\x00ff', 'picture', 'room', true],
        outcome: changes(
          "select encode(binary_payload, 'hex') from realtime.messages where topic = 'room' and event = 'picture' and private",
          () => [],
          () => '00ff',
        ),
      },
    ],
  },
  'realtime.broadcast_changes(text, text, text, text, text, record, record, text)': {
    executableBy: ALL_ROLES,
    cases: [
      ...withoutPolicy(() => ['room', 'INSERT', 'INSERT', 'items', 'public', null, null, 'ROW']),
      {
        as: 'service',
        shows: 'a broadcast of a change',
        given: () => ['room', 'INSERT', 'INSERT', 'items', 'public', null, null, 'ROW'],
        outcome: changes(
          "select payload ->> 'table' from realtime.messages where topic = 'room' and event = 'INSERT'",
          () => [],
          () => 'items',
        ),
      },
    ],
  },
};

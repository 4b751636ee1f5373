/** How often something may be done: `points` times in `seconds`, counted from the first of them. */
export interface LimitFigures {
  readonly points: number;
  readonly seconds: number;
}

interface Limit extends LimitFigures {
  /** What is counted, in words for the operator; what one key of it stands for comes first. */
  readonly counts: string;
  /** Where hands-on use and test runs, all from one address, would meet the limit of a real service. */
  readonly development?: Partial<LimitFigures>;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/**
 * Every limit of the service. "Address" is the network address that a request comes from: the socket's, or what a
 * trusted proxy of ours says, an IPv6 address cut to its /64. `docs/operate/limits.md` is this table.
 */
export const LIMITS = {
  sign_up_per_address: {
    points: 20,
    seconds: HOUR,
    counts: 'address: sign-ups',
    development: { points: 2_000 },
  },
  sign_in_failures_per_account_and_address: {
    points: 10,
    seconds: 15 * MINUTE,
    counts: 'account, by its e-mail address or number as it was typed, and address: sign-ins with a wrong password',
  },
  sign_in_failures_per_account: {
    points: 100,
    seconds: DAY,
    counts: 'account, by what was typed, whether it exists or not: sign-ins with a wrong password',
  },
  sign_in_failures_per_known_device: {
    points: 10,
    seconds: 15 * MINUTE,
    counts:
      'account and device where it has signed in before: sign-ins with a wrong password; no other count of failures holds such a device up',
  },
  sign_in_failures_per_address: {
    points: 100,
    seconds: HOUR,
    counts: 'address: sign-ins with a wrong password, over all accounts',
    development: { points: 2_000 },
  },
  sign_in_failures_per_password: {
    points: 100,
    seconds: HOUR,
    counts: 'password: sign-ins with it where it was wrong, over all accounts',
    development: { points: 2_000 },
  },
  // For each session, so that whoever stole one cannot keep the owner, who has others, from a new password.
  password_changes_per_session: {
    points: 10,
    seconds: HOUR,
    counts: 'session: changes of the password tried; a wrong current password, and one that is none, are told',
    development: { points: 200 },
  },
  // A guess at a TOTP code has three in a million, so 30 a day stay below one in ten thousand.
  second_factor_failures_per_account: {
    points: 30,
    seconds: DAY,
    counts: 'account: second factors with a wrong code, by somebody who knows the password',
  },
  second_factor_challenges_per_account: {
    points: 60,
    seconds: HOUR,
    counts: 'account: second factors asked for, by somebody who knows the password',
    development: { points: 2_000 },
  },
  recovery_code_failures_per_account: {
    points: 30,
    seconds: DAY,
    counts: 'account: wrong recovery codes, by somebody who knows the password',
  },
  code_gap_per_account_and_address: {
    points: 1,
    seconds: MINUTE,
    counts:
      'account, by what was typed, whether it exists or not, and address: one-time codes asked for; the gap between two',
    development: { seconds: 1 },
  },
  codes_per_account_and_address: {
    points: 10,
    seconds: DAY,
    counts: 'account, by what was typed, whether it exists or not, and address: one-time codes asked for',
    development: { points: 200 },
  },
  mail_gap_per_account: {
    points: 1,
    seconds: MINUTE,
    counts:
      'account that asks signed in, or recipient and purpose of a message that anybody may ask for: one-time codes sent by e-mail; the gap between two',
    development: { seconds: 1 },
  },
  sms_gap_per_account: {
    points: 1,
    seconds: MINUTE,
    counts: 'the same: one-time codes sent by SMS; the gap between two',
    development: { seconds: 1 },
  },
  codes_per_account: {
    points: 20,
    seconds: DAY,
    counts: 'the same: one-time codes sent',
    development: { points: 200 },
  },
  codes_per_known_device: {
    points: 10,
    seconds: HOUR,
    counts: 'account and device where it has signed in before: one-time codes sent, in place of the three above',
    development: { points: 200 },
  },
  codes_per_recipient: {
    points: 10,
    seconds: HOUR,
    counts:
      'phone number or e-mail address that the account has not proved: one-time codes sent to it, whichever account asks; those for accounts that are signed in are counted apart',
    development: { points: 200 },
  },
  // Those who are paid for each SMS that arrives ask for many, to numbers that stand beside each other.
  sms_per_number_range: {
    points: 20,
    seconds: HOUR,
    counts:
      'number range (all numbers that differ in their last four digits): one-time codes sent by SMS to numbers that the account has not proved',
    development: { points: 2_000 },
  },
  sms_per_dial_code: {
    points: 1_000,
    seconds: HOUR,
    counts: 'dial code of a country: one-time codes sent by SMS to numbers that the account has not proved',
    development: { points: 20_000 },
  },
  sms_from_everywhere: {
    points: 3_000,
    seconds: HOUR,
    counts: 'whole service: one-time codes sent by SMS to numbers that the account has not proved',
    development: { points: 20_000 },
  },
  sms_to_proved_numbers: {
    points: 3_000,
    seconds: HOUR,
    counts: 'whole service: one-time codes sent by SMS to numbers that the account has proved',
    development: { points: 20_000 },
  },
  code_requests_per_address: {
    points: 60,
    seconds: HOUR,
    counts: 'address: one-time codes asked for, over all accounts',
    development: { points: 2_000 },
  },
  // Together 25 a day: strangers who only guess leave the browser that asked what it needs.
  code_failures_of_strangers: {
    points: 10,
    seconds: DAY,
    counts:
      'e-mail address or number as it was typed, whether it has an account or not: wrong one-time codes of all kinds, from browsers that did not ask for one',
    development: { points: 200 },
  },
  code_failures_of_askers: {
    points: 15,
    seconds: DAY,
    counts: 'the same: wrong one-time codes of all kinds, from browsers that asked for one within its life',
    development: { points: 200 },
  },
  code_failures_per_known_device: {
    points: 25,
    seconds: DAY,
    counts:
      'e-mail address or number and device where its account has signed in before: wrong one-time codes of all kinds; no other count of them holds such a device up',
    development: { points: 200 },
  },
  code_failures_of_sessions: {
    points: 25,
    seconds: DAY,
    counts: 'account: wrong one-time codes of a session that has to prove itself again',
    development: { points: 200 },
  },
  verify_per_address: {
    points: 60,
    seconds: HOUR,
    counts: 'address: one-time codes tried, over all accounts',
    development: { points: 2_000 },
  },
  sign_in_visits_per_address: {
    points: 60,
    seconds: HOUR,
    counts: 'address: visits to sign-in providers begun',
    development: { points: 2_000 },
  },
  check_user_exists: {
    points: 10,
    seconds: HOUR,
    counts: 'address: questions whether an e-mail address has an account',
    development: { points: 2_000 },
  },
  // One address is soon stopped; this ends a harvest from many. Sign-up goes on without the question.
  check_user_exists_from_everywhere: {
    points: 500,
    seconds: HOUR,
    counts: 'whole service: questions whether an e-mail address has an account, from all addresses together',
    development: { points: 20_000 },
  },
  find_item_miss: {
    points: 60,
    seconds: HOUR,
    counts: 'address: look-ups of codes that have no item',
    development: { points: 2_000 },
  },
  send_message_per_tag_and_address: {
    points: 5,
    seconds: HOUR,
    counts: 'tag code and address: messages from finders',
  },
  // Whom the owner has answered is no stranger any more: the two of them may talk.
  send_message_per_answered_conversation: {
    points: 60,
    seconds: HOUR,
    counts: 'conversation that its owner has answered: further messages from its finder, in place of the one above',
  },
  send_reply_per_conversation: {
    points: 60,
    seconds: HOUR,
    counts: 'conversation: answers from its owner',
  },
  open_channel: {
    points: 20,
    seconds: HOUR,
    counts: 'address: phone numbers and e-mail addresses of owners that were opened',
    development: { points: 2_000 },
  },
  pictures_per_account: {
    points: 60,
    seconds: HOUR,
    counts: 'account: pictures put up for items and for the profile',
    development: { points: 600 },
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** A limit's figures as a production or a development server counts it. */
export function figuresOf(name: LimitName, development: boolean): LimitFigures {
  const limit: Limit = LIMITS[name];
  const { points = limit.points, seconds = limit.seconds } = (development && limit.development) || {};
  return { points, seconds };
}

/** The names in the order of the table. */
export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[]; // The keys of the literal above, and no others.

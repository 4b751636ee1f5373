import type { Counter } from './rate-limits.ts';

/** A rate: `points` within `seconds`, counted from the first use. */
export interface LimitFigures {
  readonly points: number;
  readonly seconds: number;
}

interface Limit extends LimitFigures {
  /** What is counted, for the operator. The key comes first. */
  readonly counts: string;
  /** Who can use it up. */
  readonly filledBy: string;
  /** Who is then delayed, and what they can do instead. */
  readonly holdsUp: string;
  /** Figures of a development server, where tests and manual use from one address would reach the limit. */
  readonly development?: Partial<LimitFigures>;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const OWN_ADDRESS = 'clients at the address';
const NEIGHBORS = 'others at the address';
const OWN_ACCOUNT = 'the account itself';
/** No one else is delayed. */
const ITSELF = '–';

/** Of a budget of SMS, how many numbers get that their account has not proved: strangers cannot use up the rest. */
export const shareOfUnproved = (smsADay: number): number => Math.floor(smsADay / 2);
/** How many SMS the service sends a day unless `SMS_A_DAY` says otherwise. */
const DEFAULT_SMS_A_DAY = 1_000;

/**
 * Every limit of the service. One that a stranger can use up never locks an owner out. "Address" is the network address
 * of a request: the socket's, or the one that a trusted proxy reports, with an IPv6 address cut to its /64.
 * `docs/operate/limits.md` contains this table.
 */
export const LIMITS = {
  sign_up_per_address: {
    points: 20,
    seconds: HOUR,
    counts: 'address: sign-ups',
    filledBy: OWN_ADDRESS,
    holdsUp: NEIGHBORS,
    development: { points: 2_000 },
  },
  sign_in_failures_per_account_and_address: {
    points: 10,
    seconds: 15 * MINUTE,
    counts:
      'identifier, and address: sign-ins with a wrong password. Separately, account and known device, which no other count of failures delays',
    filledBy: 'clients at the address; users of the device',
    holdsUp: 'the owner at the same address on a new device, whom a mailed link signs in; users of the device',
  },
  sign_in_failures_per_account: {
    points: 100,
    seconds: DAY,
    counts: 'identifier: sign-ins with a wrong password',
    filledBy: 'anyone',
    holdsUp: 'the owner on a new device, who can use a mailed link or another proof. That device is known from then on',
  },
  sign_in_failures_per_address: {
    points: 100,
    seconds: HOUR,
    counts: 'address: sign-ins with a wrong password, for all accounts',
    filledBy: OWN_ADDRESS,
    holdsUp: 'owners at the same address on a new device; a mailed link signs them in',
    development: { points: 2_000 },
  },
  sign_in_failures_per_password: {
    points: 100,
    seconds: HOUR,
    counts: 'password: sign-ins with it that failed, for all accounts',
    filledBy: 'anyone, for a password that they know',
    holdsUp: 'owners with that password on a new device; a mailed link signs them in',
    development: { points: 2_000 },
  },
  // Per session: an attacker with one stolen session must not keep the owner, who has others, from a new password.
  password_changes_per_session: {
    points: 10,
    seconds: HOUR,
    counts: 'session: attempts to change the password',
    filledBy: 'the session',
    holdsUp: 'that session; other sessions of the account are not affected',
    development: { points: 200 },
  },
  // A guess at a TOTP code succeeds three times in a million, so 30 a day stay below one in ten thousand.
  second_factor_failures: {
    points: 30,
    seconds: DAY,
    counts:
      'account, or account and known device: wrong codes of a second factor, after the right password; wrong recovery codes are counted separately',
    filledBy: 'anyone who knows the password; for a known device, its users',
    holdsUp: 'the owner on a new device, who has recovery codes, or the second factor itself',
  },
  second_factor_challenges: {
    points: 60,
    seconds: HOUR,
    counts: 'account, or account and known device: challenges of a second factor, after the right password',
    filledBy: 'anyone who knows the password; for a known device, its users',
    holdsUp: 'the owner on a new device, for the rest of the hour, who has recovery codes',
    development: { points: 2_000 },
  },
  code_gap_per_account_and_address: {
    points: 1,
    seconds: MINUTE,
    counts:
      'identifier, and address: requests for one-time codes; the gap between two. A sign-up also counts by its phone number: with another number it is the first. Requests for a new password count separately',
    filledBy: OWN_ADDRESS,
    holdsUp: NEIGHBORS,
    development: { seconds: 1 },
  },
  codes_per_account_and_address: {
    points: 10,
    seconds: DAY,
    counts: 'identifier, and address: requests for one-time codes',
    filledBy: OWN_ADDRESS,
    holdsUp: 'the owner at the same address; the link in the last email works',
    development: { points: 200 },
  },
  mail_gap_per_account: {
    points: 1,
    seconds: MINUTE,
    counts:
      'signed-in account, or recipient and purpose of a request without a session: one-time codes sent by email; the gap between two',
    filledBy: 'anyone',
    holdsUp: 'no one: the code that was sent a moment ago works. The response does not reveal it',
    development: { seconds: 1 },
  },
  sms_gap_per_account: {
    points: 1,
    seconds: MINUTE,
    counts:
      'signed-in account, or recipient and purpose of a request without a session: one-time codes sent by SMS; the gap between two',
    filledBy: 'anyone',
    holdsUp: 'no one: the code that was sent a moment ago works. The response does not reveal it',
    development: { seconds: 1 },
  },
  codes_per_account: {
    points: 20,
    seconds: DAY,
    counts: 'signed-in account, or recipient and purpose of a request without a session: one-time codes sent',
    filledBy: 'anyone, from at least two addresses',
    holdsUp:
      'no one by email: the link in the last email stays valid for longer, and if it has expired a new one is sent. A sign-in code by SMS goes by email instead. An account that has proved only a number has its password and its known devices',
    development: { points: 200 },
  },
  codes_per_known_device: {
    points: 10,
    seconds: HOUR,
    counts:
      'account and known device: one-time codes sent, instead of `mail_gap_per_account`, `sms_gap_per_account`, and `codes_per_account`',
    filledBy: 'users of the device',
    holdsUp: ITSELF,
    development: { points: 200 },
  },
  // Never shown in a response, so that no sender learns that others wrote to the same person.
  messages_to_unproved_recipient: {
    points: 5,
    seconds: DAY,
    counts:
      'email address or phone number: messages of all kinds and from all accounts that its reader did not ask for: one-time codes for an account that has not proved it, offers, invitations, notices of messages before it is confirmed, questions whether it is a finder’s. What is beyond it is not sent; a question that is confirmed is not counted',
    filledBy: 'anyone; for a number, from several addresses',
    holdsUp:
      'offers, invitations, and notices of others to that recipient, until the next day; who makes an offer can pass on its link. No code that the reader asks for: the first one for each network address is sent, and a sign-up goes by email',
  },
  own_codes_per_recipient_and_address: {
    points: 1,
    seconds: DAY,
    counts:
      'email address or phone number that the account has not proved, and address: one-time codes beyond the limit above, so that the reader’s own code is sent however many others were',
    filledBy: OWN_ADDRESS,
    holdsUp: 'users at the same address who register the same recipient, whom the first code has reached',
  },
  // Each costs the operator money. `SMS_A_DAY` sets this figure and the next one.
  sms_a_day: {
    points: DEFAULT_SMS_A_DAY,
    seconds: DAY,
    counts: 'whole service: SMS of all kinds',
    filledBy:
      'anyone to half of it; the rest by people with accounts: who knows hundreds of proved numbers, or has a hundred numbers',
    holdsUp:
      'owners who sign in by SMS: the code goes by email if the address is proved. Owners whose second factor is a phone, who have recovery codes. SMS about messages, for which a digest stands; about changes of accounts, and to second contacts, which wait',
    development: { points: 20_000 },
  },
  sms_a_day_to_unproved_numbers: {
    points: shareOfUnproved(DEFAULT_SMS_A_DAY),
    seconds: DAY,
    counts: 'whole service: SMS of all kinds to numbers that their account has not proved; half of the limit above',
    filledBy: 'anyone, from many addresses, with numbers of many ranges',
    holdsUp:
      'new users, whose code goes by email; owners who set a new number, until the next day; invitations by SMS, which wait. Proved numbers are not delayed',
    development: { points: 20_000 },
  },
  // Fraudsters who are paid for each SMS request many, to adjacent numbers.
  sms_per_number_range: {
    points: 20,
    seconds: HOUR,
    counts: 'number range: one-time codes sent by SMS to numbers that the account has not proved',
    filledBy: 'anyone',
    holdsUp:
      'new users in the range, whose code goes by email; owners who set a new number, until the hour is over. Proved numbers are not delayed',
    development: { points: 2_000 },
  },
  // An account can have a hundred known devices, and one number can be the second factor of many accounts.
  sms_per_number_from_known_devices: {
    points: 30,
    seconds: DAY,
    counts:
      'phone number that the account has proved, for all accounts: codes by SMS that were asked for on known devices',
    filledBy: 'users of known devices of an account with the number',
    holdsUp: 'users of those devices: a sign-in code goes by email if the address is proved. Recovery codes work',
    development: { points: 2_000 },
  },
  second_factor_sms_per_number: {
    points: 20,
    seconds: DAY,
    counts:
      'phone number that is a second factor, for all accounts: codes sent by SMS that were asked for on unknown devices, after the right password',
    filledBy: 'anyone who knows the password',
    holdsUp: 'the owner on a new device, who has recovery codes',
    development: { points: 2_000 },
  },
  auth_requests_per_address: {
    points: 60,
    seconds: HOUR,
    counts:
      'address, for all accounts: requests for one-time codes; and each separately: attempts at them, and sign-ins started with a provider',
    filledBy: OWN_ADDRESS,
    holdsUp: NEIGHBORS,
    development: { points: 2_000 },
  },
  // Together 25 a day. Clients that only guess leave the second count to the browser that requested the code.
  code_failures_of_strangers: {
    points: 10,
    seconds: DAY,
    counts: 'identifier: wrong one-time codes of all kinds, from browsers that did not request one',
    filledBy: 'anyone',
    holdsUp: 'users who enter a code in another browser than the one that requested it; the link in the email works',
    development: { points: 200 },
  },
  code_failures_of_askers: {
    points: 15,
    seconds: DAY,
    counts: 'identifier: wrong one-time codes of all kinds, from browsers that requested one within its lifetime',
    filledBy: 'anyone who also requests codes',
    holdsUp: 'the owner on a new device; the link in the email works, an SMS gives way to an email',
    development: { points: 200 },
  },
  // An account can be named by an address and by a number, which have the counts above each.
  code_failures_per_account: {
    points: 25,
    seconds: DAY,
    counts:
      'account, by any identifier: wrong one-time codes of all kinds, except on known devices; beyond it a right one is refused as a wrong one. Separately: on a known device, which no other count delays, except codes that prove a new address or number; in a session, for a recent proof',
    filledBy: 'anyone; on a known device its users, in a session the account',
    holdsUp: 'the owner on a new device; the link in the email works. In a session the password works',
    development: { points: 200 },
  },
  check_user_exists: {
    points: 10,
    seconds: HOUR,
    counts: 'address: checks whether an email address has an account',
    filledBy: OWN_ADDRESS,
    holdsUp: 'no one: sign-up works without the check',
    development: { points: 2_000 },
  },
  // The limit per address stops one address; this one stops harvesting from many. Sign-up works without the check.
  check_user_exists_from_everywhere: {
    points: 500,
    seconds: HOUR,
    counts: 'whole service: checks whether an email address has an account',
    filledBy: 'anyone, from many addresses',
    holdsUp: 'no one: sign-up works without the check',
    development: { points: 20_000 },
  },
  find_item_miss: {
    points: 60,
    seconds: HOUR,
    counts: 'address: look-ups of tag codes without an item, and of typed codes that no sticker has',
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders at the same address',
    development: { points: 2_000 },
  },
  send_message_per_tag_and_address: {
    points: 5,
    seconds: HOUR,
    counts: 'tag code and address: messages from finders',
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders of that tag at the same address',
  },
  // Bounds the rows that one address can add with many tags. Far above what finders behind one address send, such as
  // those of a school on the day of its lost-and-found.
  send_message_per_address: {
    points: 200,
    seconds: HOUR,
    counts: 'address: messages from finders, to all tag codes. Those of conversations with a reply are not counted',
    filledBy: 'clients at the address that know the tag codes of 40 items',
    holdsUp:
      'finders at the same address, for the rest of the hour; conversations with a reply go on, and contact openings are counted separately',
    development: { points: 2_000 },
  },
  // After a reply from the owner, the finder is no longer a stranger.
  messages_per_conversation: {
    points: 60,
    seconds: HOUR,
    counts:
      'conversation: replies from its owner; and each separately: replies by one link of a second contact, and messages from its finder once the owner has replied, instead of the two limits above',
    filledBy: 'who writes: owner, second contact, or finder',
    holdsUp: ITSELF,
  },
  // Decision 63 has the arithmetic. Right codes are not counted by any of the four.
  return_codes_per_address: {
    points: 30,
    seconds: DAY,
    counts: 'address: wrong return codes, for all items',
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders at the same address who lost their cookie; the private link and another network are not affected',
    development: { points: 2_000 },
  },
  return_codes_per_item_and_address: {
    points: 10,
    seconds: DAY,
    counts: 'tag code and address: wrong return codes',
    filledBy: OWN_ADDRESS,
    holdsUp: 'as above, for that item',
  },
  return_codes_per_item: {
    points: 1_000,
    seconds: DAY,
    counts: 'tag code: wrong return codes. Refuses nothing; beyond it, the limit below applies',
    filledBy: 'anyone who knows the tag',
    holdsUp: 'no one: each address has the attempts of the next limit',
  },
  return_codes_of_a_guessed_item_per_address: {
    points: 2,
    seconds: DAY,
    counts: 'tag code with too many wrong return codes, and address: further ones',
    filledBy: OWN_ADDRESS,
    holdsUp: 'as above, for that item',
  },
  finder_emails_per_address: {
    points: 10,
    seconds: DAY,
    counts: 'address: email addresses that finders leave, to be told of replies',
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders at the same address, who have the return code and the private link',
    development: { points: 2_000 },
  },
  finder_emails_per_conversation: {
    points: 5,
    seconds: DAY,
    counts: 'conversation: email addresses that its finder leaves',
    filledBy: 'the finder',
    holdsUp: 'that finder, who has the return code and the private link',
  },
  reply_emails_per_conversation: {
    points: 20,
    seconds: DAY,
    counts: 'conversation: emails to its finder about replies; beyond it they wait',
    filledBy: 'the owner and the finder together',
    holdsUp: 'the finder, who gets the email later and reads the replies on the page',
  },
  // SMS cost the operator money, and an account can change something and back all day.
  account_notices_per_account: {
    points: 10,
    seconds: DAY,
    counts:
      'account: emails about sign-ins on new devices; separately, SMS about its changes where no email address is proved. The profile shows the others',
    filledBy: 'anyone who knows the password; the account itself',
    holdsUp:
      'the owner, who has ten notices, those by SMS with a link that undoes all changes, and sees each session and change in the app',
  },
  message_notices_per_receiver: {
    points: 100,
    seconds: DAY,
    counts:
      'owner: emails about messages of all their items; and each push subscription and notice address. Conversations with a reply count separately',
    filledBy: 'anyone who knows the tag codes of five of their items; the owner',
    holdsUp: 'the owner, who sees each message in the app, and receives a digest by email when the day is over',
  },
  unseen_notices_per_owner: {
    points: 20,
    seconds: DAY,
    counts:
      'owner: SMS and reminders about messages that stay unseen, of all their items; then a digest stands for them. Conversations with a reply, and digests, count separately',
    filledBy: 'anyone who knows their tag codes; the owner',
    holdsUp: 'the owner, who gets a digest by email, up to twenty a day, and sees each message in the app',
  },
  message_sms_per_owner: {
    points: 10,
    seconds: DAY,
    counts:
      'owner: SMS about messages that stay unseen; then a digest stands for them. Conversations with a reply count separately',
    filledBy: 'anyone who knows their tag codes; the owner',
    holdsUp: 'the owner, who has emails about the messages, and sees each in the app',
  },
  invitations_and_reports_per_account: {
    points: 10,
    seconds: DAY,
    counts: 'account: invitations of second contacts; separately, reports of finders to the operator',
    filledBy: OWN_ACCOUNT,
    holdsUp: ITSELF,
    development: { points: 200 },
  },
  contact_sms_per_number_range: {
    points: 5,
    seconds: DAY,
    counts:
      'number range: SMS with an invitation to be a second contact; separately, with a notice to one. Those beyond it wait for up to a day',
    filledBy: 'anyone with accounts; for notices, one whose second contacts have numbers in the range and agreed',
    holdsUp:
      'invitations to numbers next to each other, which can go by email; notices to second contacts with such numbers, for up to a day',
  },
  contact_notices_per_contact: {
    points: 10,
    seconds: DAY,
    counts:
      'second contact: notices of messages that their owner has not seen; then a digest stands for them. Conversations with a reply count separately',
    filledBy: 'anyone who knows the owner’s tag codes',
    holdsUp:
      'the owner’s second contact, who gets a digest an hour later; the owner has emails about the messages, and sees each in the app',
  },
  contact_digests_per_contact: {
    points: 1,
    seconds: DAY,
    counts: 'second contact: digests of messages beyond `contact_notices_per_contact`; further ones wait',
    filledBy: 'anyone who knows the owner’s tag codes',
    holdsUp: 'the owner’s second contact, for up to a day; the owner has emails about the messages',
  },
  reports_per_address: {
    points: 10,
    seconds: DAY,
    counts: 'address: reports of pages to the operator',
    filledBy: OWN_ADDRESS,
    holdsUp: NEIGHBORS,
    development: { points: 2_000 },
  },
  reports_per_tag_and_address: {
    points: 3,
    seconds: DAY,
    counts: 'tag code and address: reports of its page to the operator',
    filledBy: OWN_ADDRESS,
    holdsUp: NEIGHBORS,
  },
  // Kinds apart, so that a flood about one page does not keep the first report of another back.
  report_emails: {
    points: 20,
    seconds: DAY,
    counts:
      'whole service: emails to the operator about the first open report of a page; and each separately: of a finder, and about further reports. One email counts the rest of the day',
    filledBy: 'for pages anyone who knows twenty tag codes, for finders owners alone',
    holdsUp: 'the operator, who gets the rest in one email and sees each report in the list',
  },
  further_report_emails_per_tag: {
    points: 1,
    seconds: DAY,
    counts: 'tag code: emails to the operator about one further report each',
    filledBy: 'anyone who knows the tag code',
    holdsUp: 'the operator, who gets the rest in one email and sees each report in the list',
  },
  open_channel: {
    points: 20,
    seconds: HOUR,
    counts: 'address: contact openings (phone numbers and email addresses of owners)',
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders at the same address, who can send a message instead',
    development: { points: 2_000 },
  },
  additions_per_account: {
    points: 30,
    seconds: HOUR,
    counts:
      'account: push subscriptions stored; and each separately: notice addresses added, and calls that make blank stickers, up to 100 each',
    filledBy: OWN_ACCOUNT,
    holdsUp: ITSELF,
    development: { points: 300 },
  },
  test_notices_per_account: {
    points: 20,
    seconds: HOUR,
    counts:
      'account: tests of notice addresses; separately, of notifications in browsers; separately, by email and SMS',
    filledBy: OWN_ACCOUNT,
    holdsUp: ITSELF,
  },
  requests_per_host: {
    points: 500,
    seconds: DAY,
    counts:
      'host of notice addresses and push subscriptions: requests for all owners; names count as one by their last two parts, and the push services of browsers not at all. Beyond it, `requests_per_host_and_owner` holds',
    filledBy: 'owners with addresses at the host, also those that they write to themselves',
    holdsUp: 'other owners with addresses at the host: each still gets one request an hour',
  },
  requests_per_host_and_owner: {
    points: 1,
    seconds: HOUR,
    counts: 'owner and host: requests beyond `requests_per_host`; further ones wait',
    filledBy: 'finders',
    holdsUp: 'the owner’s notices to the host, for up to an hour',
  },
  item_offers_per_account: {
    points: 20,
    seconds: DAY,
    counts: 'account: items offered to an address, each by an email',
    filledBy: OWN_ACCOUNT,
    holdsUp: ITSELF,
    development: { points: 200 },
  },
  pictures_per_account: {
    points: 60,
    seconds: HOUR,
    counts: 'account: pictures uploaded for items and the profile',
    filledBy: OWN_ACCOUNT,
    holdsUp: ITSELF,
    development: { points: 600 },
  },
  // A photo that is refused is left out of its message, which is sent.
  message_photos_per_address: {
    points: 30,
    seconds: HOUR,
    counts: 'address: photos that finders send, also those that arrive in part, to all tag codes',
    filledBy: OWN_ADDRESS,
    holdsUp: 'photos of finders at the same address; their messages are sent',
    development: { points: 2_000 },
  },
  message_photos_per_owner: {
    points: 100,
    seconds: DAY,
    counts: 'owner: photos stored with messages about all their items',
    filledBy: 'anyone who knows a tag code of the owner, from several addresses',
    holdsUp: 'photos to that owner; the messages are sent',
    development: { points: 2_000 },
  },
  message_photos_from_everywhere: {
    points: 2_000,
    seconds: DAY,
    counts: 'whole service: photos stored with messages of finders',
    filledBy: 'anyone who knows tag codes of 20 owners, from 67 addresses',
    holdsUp: 'photos of all finders; their messages are sent',
    development: { points: 20_000 },
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** Returns a limit's figures for a production or a development server. */
export function figuresOf(name: LimitName, development: boolean): LimitFigures {
  const limit: Limit = LIMITS[name];
  const { points = limit.points, seconds = limit.seconds } = (development && limit.development) || {};
  return { points, seconds };
}

/** The names in the order of the table. */
export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[]; // The keys of the object literal above.

/**
 * The counters of one SMS in the budget of the day, which bounds the operator's bill. Numbers that their account has not
 * proved get half of it at most, so that strangers cannot use up the other half.
 */
export function smsBudget({ isProved }: { readonly isProved: boolean }): readonly Counter<LimitName>[] {
  const ofAll = ['sms_a_day', 'all'] as const;
  return isProved ? [ofAll] : [['sms_a_day_to_unproved_numbers', 'all'], ofAll];
}

/**
 * The key of a counter of an account, or of one of its known devices. An attacker who knows the password uses up the
 * account's counter, never that of a device.
 */
export function ofAccountOrDevice(account: string, knownDevice: string | null): string {
  return knownDevice === null ? account : `${account} ${knownDevice}`;
}

import type { LimitName } from './limits.ts';

export interface LimitRisk {
  /** Who can use up the limit. */
  readonly filledBy: string;
  /** Who is then delayed, and what they can do instead. */
  readonly holdsUp: string;
}

const OWN_ADDRESS = 'clients at the address';
const NEIGHBORS = 'others at the address';
const OWN_ACCOUNT = 'the account itself';
/** No one else is delayed. */
const ITSELF = '–';

/** Who can use up each limit, and who is then delayed. A limit that a stranger can use up never locks an owner out. */
export const LIMIT_RISKS: Readonly<Record<LimitName, LimitRisk>> = {
  sign_up_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  sign_in_failures_per_account_and_address: {
    filledBy: 'clients at the address; users of the device',
    holdsUp: 'the owner at the same address on a new device, whom a mailed link signs in; users of the device',
  },
  sign_in_failures_per_account: {
    filledBy: 'anyone',
    holdsUp: 'the owner on a new device, who can use a mailed link or another proof. That device is known from then on',
  },
  sign_in_failures_per_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'owners at the same address on a new device; a mailed link signs them in',
  },
  sign_in_failures_per_password: {
    filledBy: 'anyone, for a password that they know',
    holdsUp: 'owners with that password on a new device; a mailed link signs them in',
  },
  password_changes_per_session: {
    filledBy: 'the session',
    holdsUp: 'that session; other sessions of the account are not affected',
  },
  second_factor_failures: {
    filledBy: 'anyone who knows the password; for a known device, its users',
    holdsUp: 'the owner on a new device, who has recovery codes, or the second factor itself',
  },
  second_factor_challenges: {
    filledBy: 'anyone who knows the password; for a known device, its users',
    holdsUp: 'the owner on a new device, for the rest of the hour, who has recovery codes',
  },
  code_gap_per_account_and_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  codes_per_account_and_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'the owner at the same address; the link in the last email works',
  },
  mail_gap_per_account: {
    filledBy: 'anyone',
    holdsUp: 'no one: the code that was sent a moment ago works. The response does not reveal it',
  },
  sms_gap_per_account: {
    filledBy: 'anyone',
    holdsUp: 'no one: the code that was sent a moment ago works. The response does not reveal it',
  },
  codes_per_account: {
    filledBy: 'anyone, from at least two addresses',
    holdsUp:
      'no one by email: the link in the last email stays valid for longer, and if it has expired a new one is sent. A sign-in code by SMS goes by email instead. An account that has proved only a number has its password and its known devices',
  },
  codes_per_known_device: { filledBy: 'users of the device', holdsUp: ITSELF },
  messages_to_unproved_recipient: {
    filledBy: 'anyone; for a number, from several addresses',
    holdsUp:
      'offers, invitations, and notices of others to that recipient, until the next day; who makes an offer can pass on its link. No code that the reader asks for: the first one for each network address is sent, and a sign-up goes by email',
  },
  own_codes_per_recipient_and_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'users at the same address who register the same recipient, whom the first code has reached',
  },
  sms_a_day: {
    filledBy:
      'anyone to half of it; the rest by people with accounts: who knows hundreds of proved numbers, or has a hundred numbers',
    holdsUp:
      'owners who sign in by SMS: the code goes by email if the address is proved. Owners whose second factor is a phone, who have recovery codes. SMS about messages, for which a digest stands; about changes of accounts, and to second contacts, which wait',
  },
  sms_a_day_to_unproved_numbers: {
    filledBy: 'anyone, from many addresses, with numbers of many ranges',
    holdsUp:
      'new users, whose code goes by email; owners who set a new number, until the next day; invitations by SMS, which wait. Proved numbers are not delayed',
  },
  sms_per_number_range: {
    filledBy: 'anyone',
    holdsUp:
      'new users in the range, whose code goes by email; owners who set a new number, until the hour is over. Proved numbers are not delayed',
  },
  sms_per_number_from_known_devices: {
    filledBy: 'users of known devices of an account with the number',
    holdsUp: 'users of those devices: a sign-in code goes by email if the address is proved. Recovery codes work',
  },
  second_factor_sms_per_number: {
    filledBy: 'anyone who knows the password',
    holdsUp: 'the owner on a new device, who has recovery codes',
  },
  auth_requests_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  code_failures_of_strangers: {
    filledBy: 'anyone',
    holdsUp: 'users who enter a code in another browser than the one that requested it; the link in the email works',
  },
  code_failures_of_askers: {
    filledBy: 'anyone who also requests codes',
    holdsUp: 'the owner on a new device; the link in the email works, an SMS gives way to an email',
  },
  code_failures_per_account: {
    filledBy: 'anyone; on a known device its users, in a session the account',
    holdsUp: 'the owner on a new device; the link in the email works. In a session the password works',
  },
  check_user_exists: { filledBy: OWN_ADDRESS, holdsUp: 'no one: sign-up works without the check' },
  check_user_exists_from_everywhere: {
    filledBy: 'anyone, from many addresses',
    holdsUp: 'no one: sign-up works without the check',
  },
  find_item_miss: { filledBy: OWN_ADDRESS, holdsUp: 'finders at the same address' },
  send_message_per_tag_and_address: { filledBy: OWN_ADDRESS, holdsUp: 'finders of that tag at the same address' },
  send_message_per_address: {
    filledBy: 'clients at the address that know the tag codes of 40 items',
    holdsUp:
      'finders at the same address, for the rest of the hour; conversations with a reply go on, and contact openings are counted separately',
  },
  messages_per_conversation: { filledBy: 'who writes: owner, second contact, or finder', holdsUp: ITSELF },
  return_codes_per_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders at the same address who lost their cookie; the private link and another network are not affected',
  },
  return_codes_per_item_and_address: { filledBy: OWN_ADDRESS, holdsUp: 'as above, for that item' },
  return_codes_per_item: {
    filledBy: 'anyone who knows the tag',
    holdsUp: 'no one: each address has the attempts of the next limit',
  },
  return_codes_of_a_guessed_item_per_address: { filledBy: OWN_ADDRESS, holdsUp: 'as above, for that item' },
  finder_emails_per_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'finders at the same address, who have the return code and the private link',
  },
  finder_emails_per_conversation: {
    filledBy: 'the finder',
    holdsUp: 'that finder, who has the return code and the private link',
  },
  reply_emails_per_conversation: {
    filledBy: 'the owner and the finder together',
    holdsUp: 'the finder, who gets the email later and reads the replies on the page',
  },
  account_notices_per_account: {
    filledBy: 'anyone who knows the password; the account itself',
    holdsUp:
      'the owner, who has ten notices, those by SMS with a link that undoes all changes, and sees each session and change in the app',
  },
  message_notices_per_receiver: {
    filledBy: 'anyone who knows the tag codes of five of their items; the owner',
    holdsUp: 'the owner, who sees each message in the app, and receives a digest by email when the day is over',
  },
  unseen_notices_per_owner: {
    filledBy: 'anyone who knows their tag codes; the owner',
    holdsUp: 'the owner, who gets a digest by email, up to twenty a day, and sees each message in the app',
  },
  message_sms_per_owner: {
    filledBy: 'anyone who knows their tag codes; the owner',
    holdsUp: 'the owner, who has emails about the messages, and sees each in the app',
  },
  invitations_and_reports_per_account: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
  contact_sms_per_number_range: {
    filledBy: 'anyone with accounts; for notices, one whose second contacts have numbers in the range and agreed',
    holdsUp:
      'invitations to numbers next to each other, which can go by email; notices to second contacts with such numbers, for up to a day',
  },
  contact_notices_per_contact: {
    filledBy: 'anyone who knows the owner’s tag codes',
    holdsUp:
      'the owner’s second contact, who gets a digest an hour later; the owner has emails about the messages, and sees each in the app',
  },
  contact_digests_per_contact: {
    filledBy: 'anyone who knows the owner’s tag codes',
    holdsUp: 'the owner’s second contact, for up to a day; the owner has emails about the messages',
  },
  reports_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  reports_per_tag_and_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  report_emails: {
    filledBy: 'for pages anyone who knows twenty tag codes, for finders owners alone',
    holdsUp: 'the operator, who gets the rest in one email and sees each report in the list',
  },
  further_report_emails_per_tag: {
    filledBy: 'anyone who knows the tag code',
    holdsUp: 'the operator, who gets the rest in one email and sees each report in the list',
  },
  open_channel: { filledBy: OWN_ADDRESS, holdsUp: 'finders at the same address, who can send a message instead' },
  additions_per_account: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
  test_notices_per_account: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
  requests_per_host: {
    filledBy: 'owners with addresses at the host, also those that they write to themselves',
    holdsUp: 'other owners with addresses at the host: each still gets one request an hour',
  },
  requests_per_host_and_owner: { filledBy: 'finders', holdsUp: 'the owner’s notices to the host, for up to an hour' },
  item_offers_per_account: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
  pictures_per_account: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
  message_photos_per_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'photos of finders at the same address; their messages are sent',
  },
  message_photos_per_owner: {
    filledBy: 'anyone who knows a tag code of the owner, from several addresses',
    holdsUp: 'photos to that owner; the messages are sent',
  },
  message_photos_from_everywhere: {
    filledBy: 'anyone who knows tag codes of 20 owners, from 67 addresses',
    holdsUp: 'photos of all finders; their messages are sent',
  },
};

import type { LimitName } from './limits.ts';

export interface LimitRisk {
  /** Who can use the limit up. */
  readonly filledBy: string;
  /** Who is held up then, and what they have instead. */
  readonly holdsUp: string;
}

const OWN_ADDRESS = 'clients at the address';
const NEIGHBORS = 'clients at the same address, for the rest of the time';
const OWN_ACCOUNT = 'the account itself';
const ITSELF = 'the account itself';

/** For each limit, who can use it up and who is held up by that. One that a stranger can use up keeps nobody out. */
export const LIMIT_RISKS: Readonly<Record<LimitName, LimitRisk>> = {
  sign_up_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  sign_in_failures_per_account_and_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'the owner at the same address on a new device; a mailed link lets them in',
  },
  sign_in_failures_per_account: {
    filledBy: 'anybody',
    holdsUp:
      'the owner on a new device, who comes in by a mailed link or another proof; that device is known from then on. Devices where they signed in before are not held up',
  },
  sign_in_failures_per_known_device: { filledBy: 'people at the device', holdsUp: 'people at the device' },
  sign_in_failures_per_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'owners at the same address on a new device; a mailed link lets them in',
  },
  sign_in_failures_per_password: {
    filledBy: 'anybody, for a password that they know',
    holdsUp: 'owners with that password on a new device; a mailed link lets them in',
  },
  password_changes_per_session: { filledBy: 'the session', holdsUp: 'that session; others of the account go on' },
  second_factor_failures_per_account: {
    filledBy: 'anybody who knows the password',
    holdsUp: 'the owner, who has recovery codes, sessions that are open, and a new password by a mailed link',
  },
  second_factor_challenges_per_account: {
    filledBy: 'anybody who knows the password',
    holdsUp: 'the owner for the rest of the hour, who has recovery codes and sessions that are open',
  },
  recovery_code_failures_per_account: {
    filledBy: 'anybody who knows the password',
    holdsUp: 'the owner, who has the second factor itself',
  },
  code_gap_per_account_and_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  codes_per_account_and_address: {
    filledBy: OWN_ADDRESS,
    holdsUp: 'the owner at the same address; the link in the last mail is good',
  },
  mail_gap_per_account: {
    filledBy: 'anybody',
    holdsUp: 'nobody: the message that went out a moment ago does the same. The response does not show it',
  },
  sms_gap_per_account: {
    filledBy: 'anybody',
    holdsUp: 'nobody: the message that went out a moment ago does the same. The response does not show it',
  },
  codes_per_account: {
    filledBy: 'anybody, from at least two addresses',
    holdsUp:
      'nobody by e-mail: the link in the last mail is good for longer, and where it is over a new one goes out. An SMS to sign in goes by e-mail instead; an account that has proved a number alone has its password and the devices that it knows',
  },
  codes_per_known_device: { filledBy: 'people at the device', holdsUp: 'people at the device' },
  codes_per_recipient: {
    filledBy: 'anybody',
    holdsUp: 'nobody: an SMS goes by e-mail, and a mail as above',
  },
  sms_per_number_range: {
    filledBy: 'anybody',
    holdsUp:
      'newcomers in the range, whose code goes by e-mail; owners who set a new number, until the hour is over. Numbers that an account has proved are not held up',
  },
  sms_per_dial_code: { filledBy: 'anybody, from many addresses', holdsUp: 'as above, for the country' },
  sms_from_everywhere: { filledBy: 'anybody, from many addresses', holdsUp: 'as above, everywhere' },
  sms_to_proved_numbers: {
    filledBy: 'anybody who knows hundreds of proved numbers',
    holdsUp: 'owners who sign in by SMS: the code goes by e-mail, where the address is proved',
  },
  code_requests_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  code_failures_of_strangers: {
    filledBy: 'anybody',
    holdsUp: 'people who type a code in another browser than the one that asked; the link in the mail is good',
  },
  code_failures_of_askers: {
    filledBy: 'anybody who asks for codes, too',
    holdsUp: 'the owner on a new device; the link in the mail is good, and devices that the account knows are',
  },
  code_failures_per_known_device: { filledBy: 'people at the device', holdsUp: 'people at the device' },
  code_failures_of_sessions: { filledBy: 'sessions of the account', holdsUp: 'the account, which has its password' },
  verify_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  sign_in_visits_per_address: { filledBy: OWN_ADDRESS, holdsUp: NEIGHBORS },
  check_user_exists: { filledBy: OWN_ADDRESS, holdsUp: 'nobody: sign-up goes on without the question' },
  check_user_exists_from_everywhere: {
    filledBy: 'anybody, from many addresses',
    holdsUp: 'nobody: sign-up goes on without the question',
  },
  find_item_miss: { filledBy: OWN_ADDRESS, holdsUp: 'finders at the same address' },
  send_message_per_tag_and_address: { filledBy: OWN_ADDRESS, holdsUp: 'finders of that tag at the same address' },
  send_message_per_answered_conversation: { filledBy: 'the finder', holdsUp: 'that finder' },
  send_reply_per_conversation: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
  open_channel: { filledBy: OWN_ADDRESS, holdsUp: 'finders at the same address, who can send a message' },
  pictures_per_account: { filledBy: OWN_ACCOUNT, holdsUp: ITSELF },
};

/**
 * The changes of an account that its owner is notified of at once: what outlives the session that made it, and what opens
 * or closes the account. They are named as in the audit log. `byText`: also by SMS, where only a phone reaches the owner.
 * Without a mail server, browsers and notice addresses are told, too.
 */
export const ACCOUNT_CHANGES = {
  password_changed: { byText: true },
  email_changed: { byText: true },
  email_removed: { byText: true },
  phone_changed: { byText: true },
  phone_removed: { byText: true },
  new_sign_in: { byText: true },
  signed_out_elsewhere: { byText: false },
  factor_verified: { byText: true },
  factor_removed: { byText: true },
  passkey_added: { byText: true },
  passkey_removed: { byText: true },
  recovery_codes_made: { byText: false },
  identity_linked: { byText: true },
  identity_unlinked: { byText: false },
  contact_number_changed: { byText: true },
  item_offered: { byText: true },
  item_given: { byText: true },
  item_deleted: { byText: false },
  sticker_attached: { byText: false },
  sticker_detached: { byText: false },
  blank_codes_discarded: { byText: false },
  second_contact_invited: { byText: true },
  second_contact_widened: { byText: true },
  second_contact_narrowed: { byText: false },
  second_contact_removed: { byText: false },
  notice_address_added: { byText: true },
  notice_address_widened: { byText: true },
  notice_address_removed: { byText: false },
  notices_reduced: { byText: true },
  device_silenced: { byText: false },
  operator_made_link: { byText: true },
} as const;

export type AccountChange = keyof typeof ACCOUNT_CHANGES;

/** Every account change, for a schema. */
// The keys of the literal above.
export const ACCOUNT_CHANGE_KINDS = Object.keys(ACCOUNT_CHANGES) as [AccountChange, ...AccountChange[]];

/** What the list of recent changes has beside them: finders see it, the owner hid it, or an operator did it. */
export type ListedChange =
  | AccountChange
  | 'finders_page_changed'
  | 'conversation_hidden'
  | 'operator_looked'
  | 'operator_ended_sessions';

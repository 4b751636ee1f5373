import type { Seed } from './seed.ts';

/** One of the owner's statements, as the data service runs it. */
interface Statement {
  readonly text: string;
  readonly values: (seed: Seed) => readonly unknown[];
  /** What the migrating account does before, with the first value. */
  readonly prepare?: string;
  /** What it is written to the audit log as; null where it copies only what there is. */
  readonly event: string | null;
}

/** Why something needs no recent proof. */
interface Harmless {
  readonly harmless: string;
}

type Treatment = Statement | Harmless;

const READS: Harmless = { harmless: 'It reads what the account has now, and ends with the session.' };
const ADDS: Harmless = { harmless: 'It adds something to the account, and leads nothing of it elsewhere.' };
const SAYS: Harmless = {
  harmless: 'It is said once, in a conversation or to the operator, and its owner sees it there.',
};
const SHOWN: Harmless = {
  harmless:
    'Finders see it, and so does the owner, first on the item’s page. It opens no account, and the list of recent changes has it.',
};
const SORTS: Harmless = {
  harmless:
    'The message itself has been mailed and pushed, and what hides later ones of one finder must work at once against harassment. The list of recent changes has it.',
};
const PRINTS: Harmless = { harmless: 'It describes paper.' };
const OWN_DEVICE: Harmless = { harmless: 'It concerns the device of this session alone, and ends with it.' };
const PICTURES: Harmless = { harmless: 'It concerns pictures.' };
const TOKEN: Harmless = { harmless: 'Whoever reads the address has the token. No session is needed.' };
const REALTIME: Harmless = { harmless: 'It is heard by those who listen now.' };
const OPERATES: Harmless = {
  harmless: 'It needs an operator’s session with a recent proof. `operators.test.ts` tries each.',
};
const RECEIVES: Harmless = { harmless: 'The account gets something, or leaves it with another account.' };

const ofOwner = ({ owner }: Seed) => [owner.account.id];
const fewer = (change: string): Statement => ({
  text: `update public.notice_settings set ${change} where user_id = $1`,
  values: ofOwner,
  event: 'notices_reduced',
});
const quietHours = fewer("quiet_from = '00:00', quiet_to = '23:59', time_zone = 'UTC'");
const moreForContact: Statement = {
  text: 'update public.second_contacts set for_all = true where owner_id = $1',
  values: ofOwner,
  event: 'second_contact_widened',
};

/**
 * Everything that a session may do by the data service: each function that `authenticated` may execute, and each column
 * and table that it may write. What outlives the session needs a recent proof; of all else it says why not.
 * `lasting-changes.test.ts` compares this with the catalogue and tries each statement. The auth service's own changes are
 * in `tests/contract/auth/recent-proof.test.ts`.
 */
export const TREATMENTS: Readonly<Record<string, Treatment>> = {
  'execute public.offer_item(uuid, text)': {
    prepare: 'delete from public.item_offers where item_id = $1',
    text: "select public.offer_item($1, 'thief@example.com')",
    values: ({ owner }) => [owner.item.id],
    event: 'item_offered',
  },
  'execute public.invite_second_contact(text, text, boolean)': {
    text: "select public.invite_second_contact('thief@example.com', null, true)",
    values: () => [],
    event: 'second_contact_invited',
  },
  'update public.second_contacts(for_all)': moreForContact,
  'delete public.second_contacts': {
    text: 'delete from public.second_contacts where owner_id = $1',
    values: ofOwner,
    event: 'second_contact_removed',
  },
  'execute public.add_notice_address(text, text, text, text, boolean)': {
    text: "select public.add_notice_address('webhook', 'Copy', 'https://thief.example.com/')",
    values: () => [],
    event: 'notice_address_added',
  },
  'update public.notice_addresses(gets_has)': {
    text: 'update public.notice_addresses set gets_has = false where user_id = $1',
    values: ofOwner,
    event: 'notices_reduced',
  },
  'update public.notice_addresses(gets_first)': {
    text: 'update public.notice_addresses set gets_first = false where user_id = $1',
    values: ofOwner,
    event: 'notices_reduced',
  },
  'update public.notice_addresses(gets_more)': {
    text: 'update public.notice_addresses set gets_more = false where user_id = $1',
    values: ofOwner,
    event: 'notices_reduced',
  },
  'update public.notice_addresses(shows_text)': {
    text: 'update public.notice_addresses set shows_text = true where user_id = $1',
    values: ofOwner,
    event: 'notice_address_widened',
  },
  'update public.notice_addresses(name)': { harmless: 'Only its owner reads the name.' },
  'delete public.notice_addresses': {
    text: 'delete from public.notice_addresses where user_id = $1',
    values: ofOwner,
    event: 'notice_address_removed',
  },
  'insert public.notice_settings(email_has)': fewer('email_has = false'),
  'insert public.notice_settings(email_first)': fewer('email_first = false'),
  'insert public.notice_settings(email_more)': fewer('email_more = false'),
  'insert public.notice_settings(push_has)': fewer('push_has = false'),
  'insert public.notice_settings(push_first)': fewer('push_first = false'),
  'insert public.notice_settings(push_more)': fewer('push_more = false'),
  'insert public.notice_settings(sms_has)': fewer('sms_has = false'),
  'insert public.notice_settings(sms_first)': fewer('sms_first = false'),
  'insert public.notice_settings(sms_more)': fewer('sms_more = false'),
  'update public.notice_settings(email_has)': fewer('email_has = false'),
  'update public.notice_settings(email_first)': fewer('email_first = false'),
  'update public.notice_settings(email_more)': fewer('email_more = false'),
  'update public.notice_settings(push_has)': fewer('push_has = false'),
  'update public.notice_settings(push_first)': fewer('push_first = false'),
  'update public.notice_settings(push_more)': fewer('push_more = false'),
  'update public.notice_settings(sms_has)': fewer('sms_has = false'),
  'update public.notice_settings(sms_first)': fewer('sms_first = false'),
  'update public.notice_settings(sms_more)': fewer('sms_more = false'),
  'insert public.notice_settings(email)': fewer('email = false'),
  'insert public.notice_settings(push)': fewer('push = false'),
  'insert public.notice_settings(quiet_from)': quietHours,
  'insert public.notice_settings(quiet_to)': quietHours,
  'insert public.notice_settings(reminder)': fewer('reminder = false'),
  'insert public.notice_settings(sms)': { harmless: 'Without settings there are no SMS.' },
  'insert public.notice_settings(time_zone)': quietHours,
  'insert public.notice_settings(user_id)': { harmless: 'It is the caller’s.' },
  'update public.notice_settings(email)': fewer('email = false'),
  'update public.notice_settings(push)': fewer('push = false'),
  'update public.notice_settings(quiet_from)': quietHours,
  'update public.notice_settings(quiet_to)': quietHours,
  'update public.notice_settings(reminder)': fewer('reminder = false'),
  'update public.notice_settings(sms)': {
    ...fewer('sms = false'),
    prepare: 'update public.notice_settings set sms = true where user_id = $1',
  },
  'update public.notice_settings(time_zone)': quietHours,
  'update public.notice_settings(user_id)': { harmless: 'It is the caller’s.' },
  'delete public.push_subscriptions': {
    prepare: `with other as (insert into auth.sessions (user_id) select user_id from public.push_subscriptions where id = $1 returning id)
      update public.push_subscriptions as pushed set session_id = other.id from other where pushed.id = $1`,
    text: 'delete from public.push_subscriptions where id = $1',
    values: ({ owner }) => [owner.pushSubscription],
    event: 'device_silenced',
  },
  'update public.push_subscriptions(shows_text)': OWN_DEVICE,
  'execute public.save_push_subscription(text, text, text, text)': OWN_DEVICE,
  'execute public.attach_qr_code(text, uuid)': {
    text: 'select public.attach_qr_code($1, $2)',
    values: ({ owner, issuedCode }) => [issuedCode, owner.item.id],
    event: 'sticker_attached',
  },
  'execute public.detach_qr_code(text)': {
    prepare: `update public.qr_codes set stands_for = item.qr_id from public.items as item
      where qr_codes.qr_id = $1 and item.user_id = qr_codes.owner_id and item.id in (select item_id from public.item_offers)`,
    text: 'select public.detach_qr_code($1)',
    values: ({ owner }) => [owner.spareCode],
    event: 'sticker_detached',
  },
  'execute public.discard_blank_codes(text[])': {
    text: 'select public.discard_blank_codes(array[$1])',
    values: ({ owner }) => [owner.spareCode],
    event: 'blank_codes_discarded',
  },
  'execute public.remove_added_identifier(text)': {
    harmless: 'Tried in tests/contract/auth/added-identifiers.test.ts, because it needs one that came later.',
  },
  'delete public.items': {
    text: 'delete from public.items where id = $1',
    values: ({ owner }) => [owner.item.id],
    event: 'item_deleted',
  },
  'update public.profiles(phone)': {
    text: "update public.profiles set phone = '+15550100999' where id = $1",
    values: ofOwner,
    event: 'contact_number_changed',
  },
  'execute public.list_return_codes(uuid)': {
    text: 'select public.list_return_codes($1)',
    values: ({ owner }) => [owner.item.id],
    event: null,
  },
  'execute public.export_my_data()': { text: 'select public.export_my_data()', values: () => [], event: null },
  'execute public.make_recovery_codes()': {
    harmless: 'Tried in tests/contract/auth/recent-proof.test.ts, because it needs a second factor.',
  },
  'execute public.delete_my_account()': {
    harmless: 'Tried in tests/contract/auth/recent-proof.test.ts: it needs a proof of the last ten minutes.',
  },
  'execute public.end_session(uuid)': {
    harmless: 'It is the owner’s defense, and a device that is signed out signs in again. The owner is told at once.',
  },
  'delete public.item_offers': { harmless: 'It keeps the item with its owner.' },

  'execute public.accept_offer(uuid)': RECEIVES,
  'execute public.decline_offer(uuid)': RECEIVES,
  'execute public.delete_given_item(uuid)': RECEIVES,
  'execute public.register_qr_code(text, uuid)': ADDS,
  'execute public.claim_new_code(uuid)': ADDS,
  'execute public.make_blank_codes(integer, uuid)': ADDS,
  'execute public.save_items(jsonb)': SHOWN,
  'insert public.items(qr_id)': ADDS,
  'insert public.items(user_id)': ADDS,
  'insert public.items(item_type)': ADDS,
  'insert public.items(item_name)': ADDS,
  'insert public.items(description)': ADDS,
  'insert public.items(note_to_finders)': ADDS,
  'insert public.items(reward)': ADDS,
  'update public.items(item_type)': SHOWN,
  'update public.items(item_name)': SHOWN,
  'update public.items(description)': { harmless: 'Only its owner reads it.' },
  'update public.items(note_to_finders)': SHOWN,
  'update public.items(reward)': SHOWN,
  'update public.items(lost_at)': SHOWN,
  'update public.items(whatsapp_enabled)': SHOWN,
  'update public.items(call_enabled)': SHOWN,
  'update public.items(email_enabled)': SHOWN,
  'update public.items(message_enabled)': SHOWN,
  'update public.items(photo)': PICTURES,
  'execute public.take_back_item(uuid, uuid, boolean, boolean, text, uuid, uuid, text)': SORTS,
  'insert public.profiles(id)': ADDS,
  'insert public.profiles(full_name)': ADDS,
  'update public.profiles(full_name)': SHOWN,
  'update public.profiles(whatsapp_enabled)': SHOWN,
  'update public.profiles(call_enabled)': SHOWN,
  'update public.profiles(email_enabled)': SHOWN,
  'update public.profiles(message_enabled)': SHOWN,
  'update public.profiles(avatar)': PICTURES,
  'update public.profiles(ways_chosen_at)': { harmless: 'It ends a question on the screen.' },
  'update public.profiles(seen_shown)': { harmless: 'Finders read whether their message was seen.' },
  'update public.profiles(language)': {
    harmless: 'Emails say the same in each, and the screens have a choice of their own.',
  },
  'update public.conversations(returned_at)': SORTS,
  'update public.conversations(muted_at)': SORTS,
  'update public.conversations(blocked_at)': SORTS,
  'delete public.conversations': SORTS,
  'update public.messages(read_at)': SORTS,
  'execute public.confirm_delivery()': SORTS,
  'execute public.send_reply(uuid, text, uuid, text, text, timestamp with time zone, text, numeric, text, text)': SAYS,
  'execute public.report_finder(uuid, text, text)': SAYS,
  'execute public.send_message(text, text, uuid, text, text, text, double precision, double precision, boolean, timestamp with time zone, text, text, text)':
    SAYS,
  'execute public.send_test_message(text)': SAYS,
  'execute public.send_test_notice(uuid)': SAYS,
  'execute public.send_test_push(uuid)': SAYS,
  'insert public.measured_labels': PRINTS,
  'update public.measured_labels': PRINTS,
  'delete public.measured_labels': PRINTS,
  'insert storage.objects': PICTURES,
  'update storage.objects': PICTURES,
  'delete storage.objects': PICTURES,
  'insert storage.buckets': PICTURES,
  'update storage.buckets': PICTURES,
  'delete storage.buckets': PICTURES,
  'insert realtime.messages': REALTIME,
  'execute realtime.send(jsonb, text, text, boolean)': REALTIME,
  'execute realtime.send_binary(bytea, text, text, boolean)': REALTIME,
  'execute realtime.broadcast_changes(text, text, text, text, text, record, record, text)': REALTIME,
  'execute realtime.topic()': READS,
  'execute auth.jwt()': READS,
  'execute auth.role()': READS,
  'execute auth.uid()': READS,
  'execute storage.extension(text)': READS,
  'execute storage.filename(text)': READS,
  'execute storage.foldername(text)': READS,
  'execute public.act_on_account(uuid, text)': OPERATES,
  'execute public.act_on_batch(uuid, text, text, boolean)': OPERATES,
  'execute public.act_on_report(uuid, text, text)': OPERATES,
  'execute public.fill_batch(uuid)': OPERATES,
  'execute public.look_at_batch_codes(uuid, integer)': OPERATES,
  'execute public.look_at_batches()': OPERATES,
  'execute public.look_at_contact_details(uuid, text)': OPERATES,
  'execute public.look_at_deliveries()': OPERATES,
  'execute public.look_at_desks()': OPERATES,
  'execute public.look_at_reports(boolean)': OPERATES,
  'execute public.look_at_returns()': OPERATES,
  'execute public.look_at_service()': OPERATES,
  'execute public.look_for_account(text)': OPERATES,
  'execute public.remove_desk(uuid)': OPERATES,
  'execute public.save_desk(text, text, text, jsonb, jsonb, text, text[], integer, uuid)': OPERATES,
  'execute public.make_batch(text, integer, text)': OPERATES,
  'execute public.make_link(text, text)': OPERATES,
  'execute public.disown_address(text)': TOKEN,
  'execute public.use_recovery_code(text)': { harmless: 'It is a proof itself.' },
  'execute public.can_claim_code(text)': READS,
  'execute public.check_user_exists(text)': READS,
  'execute public.count_recovery_codes()': READS,
  'execute public.count_unproved_notices()': READS,
  'execute public.count_unread()': READS,
  'execute public.find_given_item(uuid)': READS,
  'execute public.find_item(text)': READS,
  'execute public.find_typed_code(text)': READS,
  'execute public.get_qr_code_owner(text)': READS,
  'execute public.note_scan(text)': {
    harmless: 'A visit to the sticker’s address does the same. It ends a question on the screen.',
  },
  'execute public.has_password()': READS,
  'execute public.item_news()': READS,
  'execute public.list_account_changes()': READS,
  'execute public.list_blank_codes()': READS,
  'execute public.list_conversations(timestamp with time zone, uuid)': READS,
  'execute public.list_given_items(timestamp with time zone, uuid)': READS,
  'execute public.list_sessions()': READS,
  'execute public.list_transfers()': READS,
  'execute public.read_conversation(text, text)': READS,
};

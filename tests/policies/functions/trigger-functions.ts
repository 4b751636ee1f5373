import { type FunctionPolicy, NO_ROLES, SERVICE } from '../function-policy.ts';

/** An account may always execute what belongs to it. */
const ACTS_AS_SERVICE: FunctionPolicy = { executableBy: SERVICE, actsAs: 'service_role' };

/** Trigger functions, called only by PostgreSQL. Those that use another account's rights are listed for review. */
export const TRIGGER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'internal.announce_account_access()': { executableBy: NO_ROLES },
  'internal.announce_development_outbox()': { executableBy: NO_ROLES },
  'internal.announce_item_change()': ACTS_AS_SERVICE,
  'internal.announce_session_end()': { executableBy: NO_ROLES },
  'internal.audit_account()': { executableBy: NO_ROLES },
  'internal.audit_factor()': { executableBy: NO_ROLES },
  'internal.audit_identity()': { executableBy: NO_ROLES },
  'internal.audit_session()': { executableBy: NO_ROLES },
  'internal.audit_sticker_batch()': { executableBy: NO_ROLES },
  'internal.bound_known_devices()': { executableBy: NO_ROLES },
  'internal.bound_sessions()': { executableBy: NO_ROLES },
  'internal.clean_account()': { executableBy: NO_ROLES },
  'internal.clean_item()': { executableBy: NO_ROLES },
  'internal.clean_profile()': { executableBy: NO_ROLES },
  'internal.claim_code_of_new_item()': ACTS_AS_SERVICE,
  'internal.create_profile_of_new_user()': ACTS_AS_SERVICE,
  // The job queue belongs to the account that migrated; these take nothing but the id of a row, or names of files.
  'internal.enqueue_file_removal()': { executableBy: NO_ROLES, actsAs: 'the migrating account' },
  'internal.forget_lost_email()': { executableBy: NO_ROLES },
  'internal.forget_picture()': ACTS_AS_SERVICE,
  'internal.give_typed_code()': ACTS_AS_SERVICE,
  'internal.hold_items_quota()': ACTS_AS_SERVICE,
  'internal.hold_storage_quota()': ACTS_AS_SERVICE,
  'internal.require_own_picture()': ACTS_AS_SERVICE,
  'internal.take_down_picture()': ACTS_AS_SERVICE,
  'internal.enqueue_message_notice()': { executableBy: NO_ROLES, actsAs: 'the migrating account' },
  'internal.enqueue_new_sign_in_notice()': { executableBy: NO_ROLES, actsAs: 'the migrating account' },
  'internal.follow_email_of_user()': ACTS_AS_SERVICE,
  'internal.follow_phone_of_user()': ACTS_AS_SERVICE,
  'internal.free_code_of_deleted_item()': ACTS_AS_SERVICE,
  'internal.keep_newest_messages()': ACTS_AS_SERVICE,
  'internal.keep_newest_openings()': ACTS_AS_SERVICE,
  'internal.keep_proved_phone()': ACTS_AS_SERVICE,
  'internal.lower_sessions_of_removed_factor()': { executableBy: NO_ROLES },
  'internal.note_reply()': ACTS_AS_SERVICE,
  'internal.reopen_conversation()': ACTS_AS_SERVICE,
  'internal.remember_device_with_factor()': { executableBy: NO_ROLES },
  'internal.touch_updated_at()': { executableBy: NO_ROLES },
  'realtime.announce_message()': ACTS_AS_SERVICE,
  'realtime.announce_presence()': { executableBy: NO_ROLES },
  'realtime.capture_change()': { executableBy: NO_ROLES },
};

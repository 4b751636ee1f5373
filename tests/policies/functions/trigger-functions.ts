import { type FunctionPolicy, NOBODY, SERVICE } from '../function-policy.ts';

/** An account may always execute what belongs to it. */
const ACTS_AS_SERVICE: FunctionPolicy = { executableBy: SERVICE, actsAs: 'service_role' };

/** Nobody calls these: PostgreSQL does, when a row changes. Those that act as somebody else are doors all the same. */
export const TRIGGER_FUNCTIONS: Readonly<Record<string, FunctionPolicy>> = {
  'internal.announce_account_access()': { executableBy: NOBODY },
  'internal.announce_development_outbox()': { executableBy: NOBODY },
  'internal.announce_item_change()': ACTS_AS_SERVICE,
  'internal.announce_session_end()': { executableBy: NOBODY },
  'internal.audit_account()': { executableBy: NOBODY },
  'internal.audit_factor()': { executableBy: NOBODY },
  'internal.audit_identity()': { executableBy: NOBODY },
  'internal.audit_session()': { executableBy: NOBODY },
  'internal.claim_code_of_new_item()': ACTS_AS_SERVICE,
  'internal.create_profile_of_new_user()': ACTS_AS_SERVICE,
  // The job queue belongs to the account that migrated; these take nothing but the id of a row, or names of files.
  'internal.enqueue_file_removal()': { executableBy: NOBODY, actsAs: 'the migrating account' },
  'internal.forget_picture()': ACTS_AS_SERVICE,
  'internal.hold_items_quota()': ACTS_AS_SERVICE,
  'internal.hold_storage_quota()': ACTS_AS_SERVICE,
  'internal.require_own_picture()': ACTS_AS_SERVICE,
  'internal.take_down_picture()': ACTS_AS_SERVICE,
  'internal.enqueue_message_notice()': { executableBy: NOBODY, actsAs: 'the migrating account' },
  'internal.enqueue_new_sign_in_notice()': { executableBy: NOBODY, actsAs: 'the migrating account' },
  'internal.follow_email_of_user()': ACTS_AS_SERVICE,
  'internal.follow_phone_of_user()': ACTS_AS_SERVICE,
  'internal.free_code_of_deleted_item()': ACTS_AS_SERVICE,
  'internal.keep_proved_phone()': ACTS_AS_SERVICE,
  'internal.lower_sessions_of_removed_factor()': { executableBy: NOBODY },
  'internal.touch_updated_at()': { executableBy: NOBODY },
  'realtime.announce_message()': ACTS_AS_SERVICE,
  'realtime.announce_presence()': { executableBy: NOBODY },
  'realtime.capture_change()': { executableBy: NOBODY },
};

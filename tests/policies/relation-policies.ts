import { randomUUID } from 'node:crypto';
import { all, everything, nothing, own, type RelationPolicy } from './relation-policy.ts';

const NEVER_OPEN = '[[], [], [], [], [], [], []]';
const LONG_AGO = '2020-01-01T00:00:00Z';

const NOTICE_SETTINGS = [
  'user_id',
  'email',
  'push',
  'sms',
  'reminder',
  'quiet_from',
  'quiet_to',
  'time_zone',
  ...['email', 'push', 'sms'].flatMap((way) => ['has', 'first', 'more'].map((event) => `${way}_${event}`)),
];

/**
 * What each role may do with each table. `relations.test.ts` verifies every cell against rows of an owner and of a
 * bystander, and fails for a table that is missing here.
 */
export const RELATION_POLICIES: Readonly<Record<string, RelationPolicy>> = {
  // What belongs to people.
  'public.profiles': {
    ownedBy: 'id = $1',
    anon: { select: nothing() },
    authenticated: {
      select: own(),
      insert: own('id', 'full_name'),
      update: own(
        'full_name',
        'phone',
        'whatsapp_enabled',
        'call_enabled',
        'email_enabled',
        'message_enabled',
        'avatar',
        'ways_chosen_at',
        'seen_shown',
        'language',
      ),
    },
    service_role: everything(),
    newRow: ({ account }) => ({ id: account, full_name: 'Somebody' }),
    roomToInsert: 'delete from public.profiles',
    change: ['full_name', 'Somebody Else'],
  },
  'public.qr_codes': {
    ownedBy: 'owner_id = $1',
    authenticated: { select: own() },
    service_role: everything(),
    newRow: ({ account, freshCode }) => ({ qr_id: freshCode, owner_id: account }),
    change: ['claimed_at', LONG_AGO],
    roomToDelete: 'delete from public.items',
  },
  'public.sticker_batches': {
    service_role: everything(),
    newRow: () => ({ label: 'Another batch', issued_by: 'operator', size: 3 }),
    change: ['note', 'changed'],
    roomToDelete: 'update public.qr_codes set batch_id = null, batch_place = null',
  },
  'public.desks': {
    // Finders read them, and only operators change them.
    anon: { select: all() },
    authenticated: { select: all() },
    service_role: everything(),
    newRow: () => ({ name: 'Town hall', place: '1 High Street', time_zone: 'UTC', week: NEVER_OPEN, position: 2 }),
    change: ['name', 'Changed'],
  },
  'public.items': {
    // The record of an item that was given away is not one of them.
    ownedBy: 'user_id = $1 and given_at is null',
    anon: { select: nothing() },
    authenticated: {
      select: own(),
      insert: own('qr_id', 'user_id', 'item_type', 'item_name', 'description', 'note_to_finders', 'reward'),
      update: own(
        'item_type',
        'item_name',
        'description',
        'note_to_finders',
        'reward',
        'lost_at',
        'whatsapp_enabled',
        'call_enabled',
        'email_enabled',
        'message_enabled',
        'photo',
      ),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account, freshCode }) => ({
      qr_id: freshCode,
      user_id: account,
      item_type: 'keys',
      item_name: 'Keys',
    }),
    change: ['item_name', 'Changed'],
  },
  'public.item_offers': {
    ownedBy: 'giver_id = $1 and accepted_at is null',
    // Not the item of the new owner.
    authenticated: {
      select: own('id', 'giver_id', 'item_id', 'email', 'created_at', 'expires_at', 'declined_at', 'accepted_at'),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account, item }) => ({ giver_id: account, item_id: item, email: 'somebody@example.com' }),
    roomToInsert: 'delete from public.item_offers',
    change: ['expires_at', LONG_AGO],
  },
  'public.conversations': {
    ownedBy: 'owner_id = $1',
    // Only the finder may have the hash of the finder's key.
    authenticated: {
      select: own(
        'id',
        'item_id',
        'owner_id',
        'created_at',
        'returned_at',
        'muted_at',
        'blocked_at',
        'newest_at',
        'waits_since',
      ),
      update: own('returned_at', 'muted_at', 'blocked_at'),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account, item }) => ({ item_id: item, owner_id: account }),
    change: ['returned_at', LONG_AGO],
  },
  'public.messages': {
    ownedBy: 'owner_id = $1',
    authenticated: { select: own(), update: own('read_at') },
    service_role: everything(),
    newRow: ({ account, conversation, item }) => ({
      conversation_id: conversation,
      item_id: item,
      owner_id: account,
      sender: 'owner',
      body: 'Hello',
    }),
    change: ['read_at', LONG_AGO],
  },
  'public.channel_openings': {
    ownedBy: 'owner_id = $1',
    authenticated: { select: own() },
    service_role: everything(),
    newRow: ({ account, item }) => ({ item_id: item, owner_id: account, channel: 'call' }),
    change: ['opened_at', LONG_AGO],
  },

  'public.notice_settings': {
    ownedBy: 'user_id = $1',
    authenticated: {
      select: own(),
      insert: own(...NOTICE_SETTINGS),
      update: own(...NOTICE_SETTINGS),
    },
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, sms: true }),
    roomToInsert: 'delete from public.notice_settings',
    change: ['reminder', 'false'],
  },
  'public.test_notices': {
    ownedBy: 'user_id = $1',
    authenticated: { select: own() },
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, way: 'sms' }),
    change: ['outcome', 'failed'],
  },
  'public.notice_addresses': {
    ownedBy: 'user_id = $1',
    authenticated: {
      // Not the access token.
      select: own(
        'id',
        'user_id',
        'kind',
        'name',
        'url',
        'shows_text',
        'created_at',
        'attempted_at',
        'last_status',
        'delivered_at',
        'failing_since',
        'ended_at',
        'gets_has',
        'gets_first',
        'gets_more',
      ),
      update: own('name', 'shows_text', 'gets_has', 'gets_first', 'gets_more'),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, kind: 'webhook', name: 'House', url: 'https://hook.example.com/2' }),
    roomToInsert: 'delete from public.notice_addresses',
    change: ['shows_text', 'true'],
  },
  'public.measured_labels': {
    ownedBy: 'user_id = $1',
    authenticated: {
      select: own(),
      insert: own(),
      update: own(
        'name',
        'page',
        'shape',
        'label_width',
        'label_height',
        'columns',
        'rows',
        'margin_left',
        'margin_top',
        'gap_x',
        'gap_y',
      ),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account }) => ({
      user_id: account,
      name: 'Jars',
      page: 'a4',
      label_width: 50,
      label_height: 30,
      columns: 3,
      rows: 8,
      margin_left: 10,
      margin_top: 12,
      gap_x: 2.5,
      gap_y: 0,
    }),
    // A name is unique in its account.
    change: ['name', 'Boxes'],
  },
  'public.second_contacts': {
    ownedBy: 'owner_id = $1',
    authenticated: {
      // Not the quiet hours.
      select: own('id', 'owner_id', 'email', 'phone', 'for_all', 'created_at', 'agreed_at', 'left_at'),
      update: own('for_all'),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account }) => ({ owner_id: account, phone: '+972501234567' }),
    change: ['for_all', 'true'],
  },
  'public.push_subscriptions': {
    ownedBy: 'user_id = $1',
    authenticated: {
      // Not the keys.
      select: own(
        'id',
        'user_id',
        'device',
        'endpoint',
        'server_key',
        'shows_text',
        'created_at',
        'delivered_at',
        'failing_since',
        'ended_at',
        'attempted_at',
        'last_status',
      ),
      update: own('shows_text'),
      delete: own(),
    },
    service_role: everything(),
    newRow: ({ account, session }) => ({
      user_id: account,
      session_id: session,
      device: 'Firefox on Linux',
      endpoint: 'https://push.example.com/another',
      p256dh: `B${'p'.repeat(86)}`,
      auth: 'a'.repeat(22),
      server_key: `B${'s'.repeat(86)}`,
    }),
    roomToInsert: 'delete from public.push_subscriptions',
    change: ['shows_text', 'true'],
  },

  // Accounts: API roles learn of them from the auth service only.
  'auth.users': {
    service_role: everything(),
    newRow: () => ({ claimed_email: 'new@example.com' }),
    change: ['aud', 'changed'],
  },
  'auth.identities': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, provider: 'test', provider_id: 'new' }),
    change: ['provider', 'changed'],
  },
  'auth.sessions': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account }),
    change: ['aal', 'aal2'],
  },
  'auth.refresh_tokens': {
    service_role: everything(),
    newRow: ({ session }) => ({ token_hash: '\\x00', session_id: session, counter: 1, revoked_at: LONG_AGO }),
    change: ['revoked_at', LONG_AGO],
  },
  'auth.one_time_tokens': {
    service_role: everything(),
    newRow: ({ account }) => ({
      user_id: account,
      token_type: 'sign_in',
      token_hash: '\\x00',
      relates_to: 'somebody@example.com',
      channel: 'email',
      expires_at: LONG_AGO,
    }),
    change: ['attempts', 3],
  },
  'auth.code_failures': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, in_a_row: 1 }),
    roomToInsert: 'delete from auth.code_failures',
    change: ['in_a_row', 2],
  },
  'auth.mfa_factors': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, factor_type: 'phone', phone: '15005550001' }),
    change: ['friendly_name', 'changed'],
  },
  'auth.mfa_challenges': {
    service_role: everything(),
    newRow: ({ factor, session }) => ({ factor_id: factor, session_id: session, expires_at: LONG_AGO }),
    change: ['attempts', 3],
  },
  'auth.passkeys': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, credential_id: '\\x00', public_key: '\\x00' }),
    change: ['friendly_name', 'changed'],
  },
  'auth.spent_challenges': {
    service_role: everything(),
    newRow: () => ({ id: randomUUID(), expires_at: LONG_AGO }),
    change: ['expires_at', LONG_AGO],
  },
  'auth.recovery_codes': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, code_hash: '\\x00' }),
    change: ['created_at', LONG_AGO],
  },
  'auth.known_devices': {
    service_role: everything(),
    newRow: ({ account }) => ({ user_id: account, device_hash: '\\x00' }),
    change: ['seen_at', LONG_AGO],
  },
  // Entries cannot be rewritten; only the hourly count of failures is updated.
  'auth.audit_log': {
    service_role: { select: all(), insert: all(), update: { reach: 'all', columns: ['times'] }, delete: all() },
    newRow: ({ account }) => ({ event: 'signed_in', user_id: account }),
    change: ['times', 7],
  },

  'auth.authorization_codes': {
    service_role: everything(),
    newRow: ({ account }) => ({
      code_hash: '\\x00',
      user_id: account,
      code_challenge: 'x'.repeat(43),
      method: 'otp',
      expires_at: LONG_AGO,
    }),
    change: ['method', 'recovery'],
  },
  'auth.oidc_flows': {
    service_role: everything(),
    newRow: () => ({
      state_hash: '\\x00',
      browser_hash: '\\x00',
      provider: 'example',
      redirect_to: 'https://lost.example.org/auth/callback',
      expires_at: LONG_AGO,
    }),
    change: ['provider', 'other'],
  },

  // Messages between clients. Without a policy of the operator, no one may read or send any.
  'realtime.messages': {
    anon: { select: nothing(), insert: nothing() },
    authenticated: { select: nothing(), insert: nothing() },
    service_role: everything(),
    newRow: () => ({ topic: 'room', extension: 'broadcast' }),
    change: ['topic', 'another room'],
  },
  'realtime.servers': {
    service_role: everything(),
    newRow: ({ account }) => ({ id: account }),
    change: ['seen_at', LONG_AGO],
  },
  'realtime.presences': {
    service_role: everything(),
    newRow: ({ server }) => ({
      server_id: server,
      channel_id: 7,
      topic: 'room',
      private: false,
      key: 'somebody',
      ref: 'one',
      payload: '{}',
    }),
    change: ['payload', '{"changed": true}'],
  },

  // Files. Every verb is granted, as an operator's own policies expect; the policies of ours let owners put up and take
  // down pictures of their own, and never change one.
  'storage.buckets': {
    anon: { select: nothing(), insert: nothing(), update: nothing(), delete: nothing() },
    authenticated: { select: nothing(), insert: nothing(), update: nothing(), delete: nothing() },
    service_role: everything(),
    newRow: () => ({ id: 'another', name: 'another' }),
    change: ['file_size_limit', 7],
    roomToDelete: 'delete from storage.objects',
  },
  'storage.objects': {
    ownedBy: 'owner = $1',
    anon: { select: nothing(), insert: nothing(), update: nothing(), delete: nothing() },
    authenticated: { select: own(), insert: own(), update: nothing(), delete: own() },
    service_role: everything(),
    newRow: ({ account }) => ({ bucket_id: 'avatars', name: `${'n'.repeat(22)}.webp`, owner: account }),
    change: ['last_accessed_at', LONG_AGO],
  },

  // What the service keeps for itself.
  'internal.migrations': {
    newRow: () => ({ number: 999_999, name: 'forged', checksum: '', kind: 'compatible' }),
    change: ['checksum', 'changed'],
  },
  'internal.functions': {
    newRow: () => ({ name: 'public.forged', checksum: '', release: '0' }),
    change: ['checksum', 'changed'],
  },
  'internal.secrets': {
    service_role: { select: all() },
    newRow: () => ({ name: 'another', value: 'secret' }),
    change: ['value', 'changed'],
  },
  'internal.unproved_notices': {
    service_role: everything(),
    newRow: ({ account }) => ({ message_id: randomUUID(), user_id: account }),
    change: ['sent_at', LONG_AGO],
  },
  'internal.stopped_recipients': {
    service_role: { select: all(), insert: all(), delete: all() },
    newRow: () => ({ recipient: Buffer.alloc(32) }),
    change: ['stopped_at', LONG_AGO],
  },
  'internal.operators': {
    service_role: { select: all(), insert: all(), delete: all() },
    newRow: ({ account }) => ({ user_id: account }),
    roomToInsert: 'delete from internal.operators',
    change: ['created_at', LONG_AGO],
  },
  'internal.endings': {
    service_role: everything(),
    newRow: () => ({ what: 'auth.users', id: randomUUID() }),
    change: ['taken_back', true],
  },
  'internal.return_keys': {
    service_role: everything(),
    newRow: ({ conversation }) => ({ conversation_id: conversation, key_hash: 'another hash' }),
    change: ['created_at', LONG_AGO],
  },
  'internal.contact_links': {
    service_role: everything(),
    newRow: ({ contact }) => ({ token_hash: 'another hash', contact_id: contact }),
    change: ['notified_at', LONG_AGO],
  },
  'internal.moved_keys': {
    service_role: everything(),
    newRow: ({ item }) => ({ item_id: item, key_hash: 'another hash' }),
    change: ['created_at', LONG_AGO],
  },
  'internal.blocked_keys': {
    service_role: everything(),
    newRow: ({ account }) => ({ owner_id: account, key_hash: 'another hash' }),
    change: ['created_at', LONG_AGO],
  },
  'internal.finder_addresses': {
    service_role: everything(),
    newRow: ({ conversation }) => ({
      conversation_id: conversation,
      address: 'another@example.net',
      qr_id: 'tgt-another',
      language: 'en',
      expires_at: LONG_AGO,
    }),
    roomToInsert: 'delete from internal.finder_addresses',
    change: ['notified_at', LONG_AGO],
  },
  'internal.reports': {
    service_role: everything(),
    newRow: () => ({ kind: 'abuse', qr_id: 'tgt-another' }),
    change: ['closed_at', LONG_AGO],
  },
  'internal.removed_files': {
    service_role: { select: all(), delete: all() },
    newRow: () => ({ file: randomUUID() }),
    change: ['removed_at', LONG_AGO],
  },
  'internal.typed_codes': {
    service_role: { select: all(), insert: all(), delete: all() },
    newRow: () => ({ typed_code: '0'.repeat(16), qr_id: 'tgt-without-a-typed-code' }),
    roomToInsert: `insert into public.qr_codes (qr_id) values ('tgt-without-a-typed-code');
      delete from internal.typed_codes where qr_id = 'tgt-without-a-typed-code'`,
    change: ['qr_id', 'changed'],
  },
  'internal.typed_code_progress': {
    service_role: { select: all(), update: all(), delete: all() },
    newRow: () => ({ after: 'tgt-another' }),
    change: ['after', 'tgt-changed'],
  },
  'internal.sent_keys': {
    service_role: everything(),
    newRow: () => ({ key: 'another' }),
    change: ['sent_at', '2026-01-01T00:00:00Z'],
  },
  'internal.rate_limits': {
    service_role: everything(),
    newRow: () => ({ key: 'another', points: 0 }),
    change: ['points', 7],
  },
  'internal.development_outbox': {
    service_role: { select: all(), insert: all(), delete: all() },
    newRow: () => ({ channel: 'sms', recipient: '+15550100', body: 'A code' }),
    change: ['body', 'changed'],
  },
};

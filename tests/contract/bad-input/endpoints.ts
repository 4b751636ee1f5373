import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { MEASURED_LABELS } from '#tests/support/factories/measured-labels.ts';

/** Something that can be sent input, and how a right call of it looks. */
export interface Endpoint {
  readonly service: 'auth' | 'rest' | 'storage' | 'realtime' | 'web';
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  readonly path: string;
  /** A body that would be accepted, or nearly; field by field it is spoilt. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly form?: true;
  /** Sent with an owner's access token. */
  readonly signedIn?: true;
  /** Sent with the secret key. */
  readonly byOperator?: true;
}

/** What the table is filled in with. */
export interface Known {
  readonly qrId: string;
  readonly email: string;
  readonly ownerId: string;
}

/** An id that does not exist. */
const NOT_THERE = '00000000-0000-4000-8000-000000000000';

/** The functions behind the console, with a body that each takes. */
const CONSOLE = {
  add_operator: { user_id_param: NOT_THERE },
  remove_operator: { user_id_param: NOT_THERE },
  look_for_account: { query_param: 'nobody@example.com' },
  look_at_contact_details: { user_id_param: NOT_THERE, reason_param: 'They asked' },
  act_on_account: { user_id_param: NOT_THERE, act_param: 'enable' },
  make_link: { email_param: 'nobody@example.com', reason_param: 'They forgot it' },
  look_at_reports: { with_closed_param: true },
  act_on_report: { report_id_param: NOT_THERE, act_param: 'close', reason_param: 'Abuse' },
  make_batch: { label_param: 'Fair', size_param: 0, note_param: 'For the fair' },
  save_desk: {
    name_param: 'Station',
    place_param: 'Hall 1',
    time_zone_param: 'UTC',
    week_param: [[['09:00', '12:00']], [], [], [], [], [], []],
    days_param: { '2026-12-25': [] },
    phone_param: '+49 30 1234567',
    languages_param: ['de'],
    position_param: 1,
    desk_id_param: NOT_THERE,
  },
  remove_desk: { desk_id_param: NOT_THERE },
  fill_batch: { batch_id_param: NOT_THERE },
  look_at_batch_codes: { batch_id_param: NOT_THERE, first_place_param: 0 },
  act_on_batch: { batch_id_param: NOT_THERE, act_param: 'void', reason_param: 'Stolen', claimed_too_param: false },
} as const;

/** Every endpoint that accepts input. Add new ones here. */
export function endpoints({ qrId, email, ownerId }: Known): readonly Endpoint[] {
  const password = 'correct horse';
  return [
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/signup',
      body: {
        email: 'new@example.com',
        password,
        data: { full_name: 'New Person', phone: '+972501234567', qr_id: qrId },
      },
    },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/token?grant_type=password',
      body: { email, password: 'not the one' },
    },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/token?grant_type=refresh_token',
      body: { refresh_token: 'abcdefghijkl' },
    },
    { service: 'auth', method: 'POST', path: '/auth/v1/otp', body: { email, create_user: false } },
    { service: 'auth', method: 'POST', path: '/auth/v1/verify', body: { email, token: '000000', type: 'signup' } },
    { service: 'auth', method: 'POST', path: '/auth/v1/resend', body: { email, type: 'signup' } },
    {
      service: 'auth',
      method: 'PUT',
      path: '/auth/v1/user',
      body: { data: { full_name: 'Other Name' } },
      signedIn: true,
    },
    { service: 'auth', method: 'POST', path: '/auth/v1/recover', body: { email } },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/admin/users',
      // An address that is taken, so that no request creates an account.
      body: { email, password, user_metadata: { full_name: 'New Person' }, ban_duration: '1h' },
      byOperator: true,
    },
    {
      service: 'auth',
      method: 'PUT',
      // An account that does not exist, so that a valid request changes nothing either.
      path: '/auth/v1/admin/users/00000000-0000-4000-8000-000000000000',
      body: { user_metadata: { full_name: 'Other Name' }, app_metadata: { plan: 'none' } },
      byOperator: true,
    },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/token?grant_type=pkce',
      body: { auth_code: NOT_THERE, code_verifier: 'x'.repeat(43) },
    },
    {
      service: 'auth',
      method: 'POST',
      path: `/auth/v1/factors/${NOT_THERE}/verify`,
      body: { challenge_id: NOT_THERE, code: '000000' },
      signedIn: true,
    },
    {
      service: 'auth',
      method: 'POST',
      path: `/auth/v1/factors/${NOT_THERE}/challenge`,
      body: { channel: 'sms' },
      signedIn: true,
    },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/passkeys/authentication/verify',
      body: {
        challenge_id: NOT_THERE,
        credential: {
          id: 'AAAA',
          rawId: 'AAAA',
          type: 'public-key',
          response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
        },
      },
    },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/passkeys/registration/verify',
      body: {
        challenge_id: NOT_THERE,
        credential: {
          id: 'AAAA',
          rawId: 'AAAA',
          type: 'public-key',
          response: { clientDataJSON: 'e30', attestationObject: 'oA' },
        },
      },
      signedIn: true,
    },
    {
      service: 'auth',
      method: 'PATCH',
      path: `/auth/v1/passkeys/${NOT_THERE}`,
      body: { friendly_name: 'My phone' },
      signedIn: true,
    },
    {
      service: 'auth',
      method: 'POST',
      path: '/auth/v1/admin/generate_link',
      // For an account that is not there.
      body: { type: 'recovery', email: 'nobody@example.com', redirect_to: '/' },
      byOperator: true,
    },
    { service: 'auth', method: 'POST', path: '/auth/v1/invite', body: { email }, byOperator: true },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/items',
      body: {
        qr_id: 'tgt-badinputbadinput',
        user_id: ownerId,
        item_type: 'keys',
        item_name: 'Keys',
        description: 'blue',
      },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/save_items',
      body: { items_param: [{ qr_id: 'tgt-badinputbadinput', item_type: 'keys', item_name: 'Keys' }] },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'PATCH',
      path: `/rest/v1/items?qr_id=eq.${qrId}`,
      body: { item_name: 'Other' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/profiles',
      body: { id: ownerId, full_name: 'Other' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/measured_labels',
      body: MEASURED_LABELS,
      signedIn: true,
    },
    { service: 'rest', method: 'POST', path: '/rest/v1/rpc/find_item', body: { qr_id_param: qrId } },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/find_typed_code',
      body: { typed_code_param: typedCodeOf(qrId) },
    },
    { service: 'rest', method: 'POST', path: '/rest/v1/rpc/can_claim_code', body: { qr_id_param: qrId } },
    { service: 'rest', method: 'POST', path: '/rest/v1/rpc/get_qr_code_owner', body: { qr_id_param: qrId } },
    { service: 'rest', method: 'POST', path: '/rest/v1/rpc/check_user_exists', body: { email_param: email } },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/attach_qr_code',
      body: { qr_id_param: 'tgt-badinputbadinput', item_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/detach_qr_code',
      body: { qr_id_param: 'tgt-badinputbadinput' },
      signedIn: true,
    },
    { service: 'rest', method: 'POST', path: '/rest/v1/rpc/note_scan', body: { qr_id_param: 'tgt-badinputbadinput' } },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/register_qr_code',
      body: { qr_id_param: 'tgt-badinputbadinput', user_id_param: ownerId },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/send_message',
      body: {
        qr_id_param: qrId,
        body_param: 'I found it',
        kind_param: 'have_it',
        place_param: 'Gate 4',
        latitude_param: 32.08,
        longitude_param: 34.78,
        exact_param: false,
      },
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/send_reply',
      body: { conversation_id_param: NOT_THERE, body_param: 'Thank you' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/take_back_item',
      body: { item_id_param: NOT_THERE, conversation_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/report_finder',
      body: { conversation_id_param: NOT_THERE, kind_param: 'fraud', body_param: 'Send a code' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/read_conversation',
      body: { qr_id_param: qrId, finder_key_param: 'x'.repeat(32) },
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/list_return_codes',
      body: { item_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/end_session',
      body: { session_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/save_push_subscription',
      body: {
        endpoint_param: 'https://push.example.com/1',
        // A point of the curve, so that the rest is read too.
        p256dh_param: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
        auth_param: 'a'.repeat(22),
        server_key_param: `B${'s'.repeat(86)}`,
      },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/add_notice_address',
      body: {
        kind_param: 'ntfy',
        name_param: 'Phone',
        url_param: 'https://ntfy.example.com/topic',
        token_param: 'tk_token',
        shows_text_param: true,
      },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/send_test_notice',
      body: { address_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/claim_new_code',
      body: { request_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/make_blank_codes',
      body: { count_param: 0, request_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/discard_blank_codes',
      body: { qr_ids_param: ['tgt-not-there'] },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/offer_item',
      body: { item_id_param: NOT_THERE, email_param: 'friend@example.com' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/accept_offer',
      body: { offer_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/list_conversations',
      body: { before_newest_at_param: '2026-01-01T00:00:00Z', before_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/list_given_items',
      body: { before_given_at_param: '2026-01-01T00:00:00Z', before_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/find_given_item',
      body: { item_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/decline_offer',
      body: { offer_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/delete_given_item',
      body: { item_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/invite_second_contact',
      body: { email_param: 'friend@example.com', phone_param: '', for_all_param: true },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/send_test_message',
      body: { way_param: 'pigeon' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/send_test_push',
      body: { subscription_id_param: NOT_THERE },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/use_recovery_code',
      body: { code_param: 'aaaa-bbbb' },
      signedIn: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/remove_added_identifier',
      body: { kind_param: 'email' },
      signedIn: true,
    },
    { service: 'rest', method: 'POST', path: '/rest/v1/rpc/disown_address', body: { token_param: 'x'.repeat(43) } },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/export_account',
      body: { user_id_param: NOT_THERE },
      byOperator: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/issue_codes',
      body: { batch_id_param: NOT_THERE, first_place: 0, codes: ['tgt-0123456789abcdef'] },
      byOperator: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/list_reports',
      body: { with_closed_param: true, page_param: 1, per_page_param: 50 },
      byOperator: true,
    },
    ...Object.entries(CONSOLE).map(
      ([name, body]): Endpoint => ({
        service: 'rest',
        method: 'POST',
        path: `/rest/v1/rpc/${name}`,
        body,
        byOperator: true,
      }),
    ),
    ...['show_report', 'close_report', 'put_page_back'].map(
      (name): Endpoint => ({
        service: 'rest',
        method: 'POST',
        path: `/rest/v1/rpc/${name}`,
        body: { report_id_param: NOT_THERE },
        byOperator: true,
      }),
    ),
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/take_page_down',
      body: { report_id_param: NOT_THERE, reason_param: 'Abuse' },
      byOperator: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/void_code',
      body: { qr_id_param: 'tgt-0123456789abcdef', reason_param: 'Stolen' },
      byOperator: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/void_batch',
      body: { batch_id_param: NOT_THERE, reason_param: 'Stolen' },
      byOperator: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/restore_code',
      body: { qr_id_param: 'tgt-0123456789abcdef' },
      byOperator: true,
    },
    {
      service: 'rest',
      method: 'POST',
      path: '/rest/v1/rpc/restore_batch',
      body: { batch_id_param: NOT_THERE },
      byOperator: true,
    },
    {
      service: 'storage',
      method: 'POST',
      path: '/storage/v1/bucket',
      // A bucket that is there already.
      body: { id: 'avatars', name: 'avatars' },
      byOperator: true,
    },
    {
      service: 'storage',
      method: 'PUT',
      path: '/storage/v1/bucket/nowhere',
      body: { file_size_limit: '1MB' },
      byOperator: true,
    },
    {
      service: 'storage',
      method: 'POST',
      path: '/storage/v1/object/list/avatars',
      body: { prefix: 'a', search: 'b' },
      signedIn: true,
    },
    {
      service: 'storage',
      method: 'POST',
      path: '/storage/v1/object/list-v2/avatars',
      body: { prefix: 'a', cursor: 'b' },
      signedIn: true,
    },
    {
      service: 'storage',
      method: 'POST',
      path: '/storage/v1/object/sign/avatars',
      body: { expiresIn: 60, paths: ['a'] },
      signedIn: true,
    },
    {
      service: 'storage',
      method: 'POST',
      path: '/storage/v1/object/sign/avatars/a',
      body: { expiresIn: 60 },
      signedIn: true,
    },
    ...['move', 'copy'].map((verb) => ({
      service: 'storage' as const,
      method: 'POST' as const,
      path: `/storage/v1/object/${verb}`,
      body: { bucketId: 'avatars', sourceKey: 'a', destinationKey: 'b', destinationBucket: 'item-photos' },
      signedIn: true as const,
    })),
    {
      service: 'storage',
      method: 'DELETE',
      path: '/storage/v1/object/avatars',
      body: { prefixes: ['a'] },
      signedIn: true,
    },
    {
      service: 'realtime',
      method: 'POST',
      path: '/realtime/v1/api/broadcast',
      body: { messages: [{ topic: 'room', event: 'shout', payload: { text: 'Hello' } }] },
    },
    { service: 'web', method: 'POST', path: `/item/${qrId}/contact`, body: { channel: 'call' }, form: true },
    {
      service: 'web',
      method: 'POST',
      path: `/item/${qrId}/report`,
      body: { kind: 'abuse', body: 'It is rude' },
      form: true,
    },
    { service: 'web', method: 'POST', path: `/item/${qrId}/message`, body: { body: 'I found it' }, form: true },
  ];
}

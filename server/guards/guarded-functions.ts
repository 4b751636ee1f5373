import * as v from 'valibot';
import { returnCodes } from '#server/conversations/return-codes.ts';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import { isTextable } from '#server/delivery/sms/may-be-texted.ts';
import { webhookSecretOf } from '#server/delivery/webhook/webhook-secret.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { createMessageLimit } from '#server/limits/message-limit.ts';
import type { TakenCounters } from '#server/limits/rate-limits.ts';
import type { Guard, GuardedCall } from '#server/rest/guard.ts';
import { ownGuard, refuse, replyGuard, thankedConversation } from './count-calls.ts';
import { refusalGuard } from './guard-operators.ts';
import type { GuardOptions } from './guard-options.ts';
import {
  contactGuard,
  noticeAddressGuard,
  offerGuard,
  pushSubscriptionGuard,
  refuseAddress,
} from './guard-receivers.ts';
import { recoveryCodeGuard } from './guard-recovery-codes.ts';
import { linksAreMailed } from './refusals.ts';
import { serviceGuard } from './service-facts.ts';

/** Returns every function of the data service with a guard. Calls with the secret key bypass guards of callers. */
export function guardedFunctions(dependencies: Dependencies): ReadonlyMap<string, Guard> {
  const { config, delivery } = dependencies;
  const guards = guardsWith({
    ...dependencies,
    canText: (number) => delivery.hasSms && isTextable({ config }, number),
    returnCodes: returnCodes(dependencies),
    webhookSecretOf: (addressId) => webhookSecretOf(dependencies, addressId),
    hasMail: config.hasMail,
    hideAccountExistence: config.hideAccountExistence,
    emailDomainDenylist: config.emailDomainDenylist,
  });
  return new Map([...guards, ['look_at_service', serviceGuard(dependencies)]]);
}

function guardsWith(options: GuardOptions): ReadonlyMap<string, Guard> {
  const { limits, hideAccountExistence } = options;
  const messageLimit = createMessageLimit(options);
  const countedMessages = new WeakMap<GuardedCall, TakenCounters>();

  return new Map<string, Guard>([
    ['find_item', { keepsToItself: true }],
    ['can_claim_code', { keepsToItself: true }],
    ['find_typed_code', { keepsToItself: true }],
    ['get_qr_code_owner', { keepsToItself: true }],
    [
      'send_message',
      {
        async before(call) {
          const { clientAddress, argument } = call;
          const code = argument('qr_id_param');
          const messageId = argument('message_id_param');
          const finderKey = argument('finder_key_param') || null;
          const counted = await messageLimit({ code, address: clientAddress, messageId, finderKey });
          refuse(counted.retryAfterSeconds);
          countedMessages.set(call, counted);
        },
        async failed(call, code) {
          // PT423: the finder is blocked, and is limited like those who are not.
          if (code !== 'PT423') await countedMessages.get(call)?.giveBack();
        },
      },
    ],
    ['send_reply', replyGuard(limits, ({ argument }) => argument('conversation_id_param'))],
    ['take_back_item', replyGuard(limits, thankedConversation)],
    ['list_return_codes', { complete: (body) => withReturnCodes(options, body) }],
    ['save_push_subscription', pushSubscriptionGuard(options)],
    ['add_notice_address', noticeAddressGuard(options)],
    ['send_test_message', ownGuard(limits, 'test_notices_per_account', 'messages')],
    ['send_test_notice', ownGuard(limits, 'test_notices_per_account', 'address')],
    ['make_blank_codes', ownGuard(limits, 'additions_per_account', 'blank codes')],
    ['offer_item', offerGuard(options)],
    ['report_finder', ownGuard(limits, 'invitations_and_reports_per_account', 'reports')],
    ['send_test_push', ownGuard(limits, 'test_notices_per_account', 'browser')],
    ['invite_second_contact', contactGuard(options)],
    [
      'make_link',
      {
        ...refusalGuard(options, 'make_link', 'email_param'),
        normalized: { email_param: normalizeAddress },
        before({ argument }) {
          if (options.hasMail) throw linksAreMailed();
          const address = argument('email_param');
          // A number names an account that has proved it.
          if (!address.startsWith('+')) refuseAddress(address, { ...options, hasMail: true });
        },
      },
    ],
    ['look_at_contact_details', refusalGuard(options, 'contact_details', 'user_id_param')],
    ['act_on_account', refusalGuard(options, 'act_on_account', 'user_id_param')],
    ['use_recovery_code', recoveryCodeGuard(options)],
    [
      'check_user_exists',
      {
        normalized: { email_param: normalizeAddress },
        async before({ clientAddress }) {
          for (const [limit, key] of [
            ['check_user_exists', clientAddress],
            ['check_user_exists_from_everywhere', 'all'],
          ] as const) {
            const response = await limits.take(limit, key);
            if (!response.allowed) refuse(response.retryAfterSeconds);
          }
        },
        instead: () => (hideAccountExistence ? '{"exists": false, "message": null}' : undefined),
      },
    ],
  ]);
}

/** The response of the database function `list_return_codes`. */
const ownConversations = v.array(v.object({ conversation_id: v.string(), qr_id: v.string() }));

/** Returns the caller's conversations, as the database listed them, with their return codes. */
async function withReturnCodes({ returnCodes }: GuardOptions, body: string): Promise<string> {
  const conversations = v.parse(ownConversations, JSON.parse(body));
  const passes = await returnCodes.passesOf(
    conversations.map(({ conversation_id: conversationId, qr_id: code }) => ({ conversationId, code })),
  );
  return JSON.stringify(
    conversations.map(({ conversation_id }, index) => ({ conversation_id, return_code: passes[index]?.returnCode })),
  );
}

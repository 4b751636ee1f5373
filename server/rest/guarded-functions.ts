import * as v from 'valibot';
import { trimBlanks } from '#domain/white-space.ts';
import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import { normalizeAddress, readEmailAddress } from '#server/delivery/email/email-address.ts';
import type { LimitName } from '#server/limits/limits.ts';
import { createMessageLimit } from '#server/limits/message-limit.ts';
import type { Counter, RateLimits } from '#server/limits/rate-limits.ts';
import { type TakenCounters, takeAll } from '#server/limits/take-all.ts';
import type { OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import type { Database } from '#server/postgres/database.ts';
import type { WebPush } from '#server/delivery/push/web-push.ts';
import {
  mailNotAccepted,
  noEmailAddress,
  noticeUrlRefused,
  noWebPush,
  numberNotTexted,
  pushTargetRefused,
  tooManyRequests,
} from './errors.ts';

export interface GuardedCall {
  readonly clientAddress: string;
  /** The caller's account, also while the sign-in waits for a second factor; null for a visitor. */
  readonly account: string | null;
  /** The session of that account; null for a visitor. */
  readonly session: string | null;
  /** The database role of the caller: `anon` while the sign-in waits for a second factor. */
  readonly role: string;
  /** Returns an argument by name, as text. */
  argument(name: string): string;
}

/** What the service adds to a function: rate limits, or what only it knows. PostgreSQL still decides permissions. */
export interface Guard {
  /** The function neither reads the request's settings nor sets those of the response. */
  readonly keepsToItself?: boolean;
  /** Returns the one form in which an argument is stored and compared, by its name. It comes before all else. */
  readonly normalized?: Readonly<Record<string, (text: string) => string>>;
  /** Runs before the call and throws to refuse it. */
  before?(call: GuardedCall): Promise<void> | void;
  /** Returns a response in place of the call, as JSON text, or undefined to make the call. */
  instead?(): string | undefined;
  /** Returns the response, as JSON text, in place of the database's. */
  complete?(body: string): Promise<string>;
  /** Runs after a call that did not fail, whatever its response. */
  succeeded?(call: GuardedCall): Promise<void>;
  /** Receives the SQLSTATE of a failed call; null where the failure is not PostgreSQL's. */
  failed?(call: GuardedCall, code: string | null): Promise<void> | undefined;
}

export interface GuardOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly limits: RateLimits<LimitName>;
  readonly outbound: Pick<OutboundClient, 'accepts'>;
  readonly push: Pick<WebPush, 'accepts'> | null;
  /** Returns the secret of a webhook, which its owner sees once. */
  readonly webhookSecretOf: (addressId: string) => string;
  /** Whether SMS are sent to a number (E.164 with the plus). */
  readonly canText: (number: string) => boolean;
  readonly returnCodes: Pick<ReturnCodes, 'passesOf'>;
  /** No response may reveal whether an address has an account. */
  readonly hideAccountExistence: boolean;
  /** Domains that get no mail, by the operator's configuration. */
  readonly emailDomainDenylist: readonly string[];
}

/** Returns every function with a guard. Calls with the secret key bypass guards. */
export function guardedFunctions(options: GuardOptions): ReadonlyMap<string, Guard> {
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
    ['send_reply', replyGuard(limits)],
    ['list_return_codes', { complete: (body) => withReturnCodes(options, body) }],
    ['save_push_subscription', pushSubscriptionGuard(options)],
    ['add_notice_address', noticeAddressGuard(options)],
    ['send_test_notice', ownGuard(limits, 'notice_tests_per_account')],
    ['make_blank_codes', ownGuard(limits, 'blank_code_calls_per_account')],
    ['offer_item', offerGuard(options)],
    ['report_finder', ownGuard(limits, 'finder_reports_per_account')],
    ['send_test_push', ownGuard(limits, 'push_tests_per_account')],
    ['invite_second_contact', contactGuard(options)],
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

/**
 * Counts replies by conversation. The caller chooses that key, so only a reply that was stored counts: an id of no
 * conversation of theirs leaves no counter, nor does a caller who may not reply at all.
 */
function replyGuard(limits: GuardOptions['limits']): Guard {
  const LIMIT = 'send_reply_per_conversation';
  const keyOf = ({ argument }: GuardedCall) => argument('conversation_id_param');
  return {
    async before(call) {
      if (call.role !== 'authenticated') return;
      const response = await limits.take(LIMIT, keyOf(call));
      if (!response.allowed) refuse(response.retryAfterSeconds);
    },
    failed: (call) => (call.role === 'authenticated' ? limits.giveBack(LIMIT, keyOf(call)) : undefined),
  };
}

/** Counts calls by the caller's account. */
function ownGuard(limits: GuardOptions['limits'], limit: LimitName): Guard {
  return {
    async before({ account, role }) {
      if (account === null || role !== 'authenticated') return;
      const response = await limits.take(limit, account);
      if (!response.allowed) refuse(response.retryAfterSeconds);
    },
  };
}

/** Refuses an endpoint that could never be sent to. The database checks the form of the rest. */
function pushSubscriptionGuard({ push, limits }: GuardOptions): Guard {
  const counted = ownGuard(limits, 'push_subscriptions_per_account');
  return {
    async before(call) {
      if (push === null) throw noWebPush();
      if (!push.accepts({ endpoint: call.argument('endpoint_param'), p256dh: call.argument('p256dh_param') }))
        throw pushTargetRefused();
      await counted.before?.(call);
    },
  };
}

/** The response of the database function `add_notice_address`. */
const addedAddress = v.object({ id: v.string(), kind: v.string() });

/** Refuses a URL that could never be sent to, and adds a webhook's secret to the response. */
function noticeAddressGuard({ outbound, limits, webhookSecretOf }: GuardOptions): Guard {
  const counted = ownGuard(limits, 'notice_addresses_per_account');
  return {
    async before(call) {
      if (!outbound.accepts(call.argument('url_param'))) throw noticeUrlRefused();
      await counted.before?.(call);
    },
    async complete(body) {
      const { id, kind } = v.parse(addedAddress, JSON.parse(body));
      return JSON.stringify({ id, kind, secret: kind === 'webhook' ? webhookSecretOf(id) : null });
    },
  };
}

/**
 * Counts offers by account, because each sends an email to an address that the caller chose. What that address gets from
 * all accounts is counted where it is sent: a refusal would say that others wrote to it.
 */
function offerGuard({ limits, emailDomainDenylist }: GuardOptions): Guard {
  const taken = new WeakMap<GuardedCall, TakenCounters>();
  return {
    normalized: { email_param: normalizeAddress },
    async before(call) {
      const { account, role } = call;
      if (account === null || role !== 'authenticated') return;
      const email = call.argument('email_param');
      refuseAddress(email, emailDomainDenylist);
      const counted = await takeAll(limits, [['item_offers_per_account', account]]);
      refuse(counted.retryAfterSeconds);
      taken.set(call, counted);
    },
    failed: (call) => taken.get(call)?.giveBack(),
  };
}

/**
 * Counts invitations by account, because each goes to an address or a number that the caller chose, as `offerGuard` does.
 * One that the database refuses counts as well.
 */
function contactGuard({ limits, canText, emailDomainDenylist }: GuardOptions): Guard {
  return {
    normalized: { email_param: normalizeAddress, phone_param: trimBlanks },
    async before({ account, role, argument }) {
      if (account === null || role !== 'authenticated') return;
      const [email, phone] = [argument('email_param'), argument('phone_param')];
      if (phone !== '' && !canText(phone)) throw numberNotTexted();
      if (email !== '') refuseAddress(email, emailDomainDenylist);
      const { retryAfterSeconds } = await takeAll(limits, [['contact_invitations_per_account', account]]);
      refuse(retryAfterSeconds);
    },
  };
}

/** Refuses a normalized address that cannot be one, or whose domain gets no mail. */
function refuseAddress(email: string, denylist: readonly string[]): void {
  const { problem } = readEmailAddress(email, denylist);
  if (problem === 'denied') throw mailNotAccepted();
  if (problem === 'malformed') throw noEmailAddress();
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

/** A visitor has no account and thus no recovery codes to guess. */
function recoveryCodeGuard({ database, limits }: GuardOptions): Guard {
  // An attacker who knows the password uses up the account's counter, never that of a known device.
  const counterOf = async (account: string, session: string | null): Promise<Counter<LimitName>> => {
    const { rows } = await database.asService<{ readonly device: string | null }>({
      name: 'known_device_of_session',
      text: 'select internal.known_device_of_session($1::uuid) as device',
      values: [session],
    });
    const device = rows[0]?.device ?? null;
    return device === null
      ? ['recovery_code_failures_per_account', account]
      : ['recovery_code_failures_per_known_device', `${account} ${device}`];
  };
  const taken = new WeakMap<GuardedCall, Counter<LimitName>>();
  const giveBack = async (call: GuardedCall) => {
    const counter = taken.get(call);
    if (counter !== undefined) await limits.giveBack(...counter);
  };
  return {
    // Taken before the code is compared, so that concurrent guesses cannot exceed the limit.
    async before(call) {
      if (call.account === null) return;
      const counter = await counterOf(call.account, call.session);
      const response = await limits.take(...counter);
      if (!response.allowed) refuse(response.retryAfterSeconds);
      taken.set(call, counter);
    },
    succeeded: giveBack,
    // 22023: the code is not valid.
    async failed(call, code) {
      // Without PostgreSQL's response the code may have been compared.
      if (call.account === null || code === null) return;
      if (code !== '22023') return giveBack(call);
      await database.asService({
        name: 'record_recovery_code_failure',
        text: "select internal.record_failure('recovery_code_failed', $1)",
        values: [call.account],
      });
    },
  };
}

function refuse(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
}

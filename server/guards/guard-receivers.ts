import * as v from 'valibot';
import { trimBlanks } from '#domain/white-space.ts';
import { normalizeAddress, readEmailAddress } from '#server/delivery/email/email-address.ts';
import { type TakenCounters, takeAll } from '#server/limits/rate-limits.ts';
import type { Guard, GuardedCall } from '#server/rest/guard.ts';
import { ownGuard, refuse } from './count-calls.ts';
import type { GuardOptions } from './guard-options.ts';
import {
  mailNotAccepted,
  noEmailAddress,
  noticeUrlRefused,
  noWebPush,
  numberNotTexted,
  pushTargetRefused,
} from './refusals.ts';

/** Refuses an endpoint that could never be sent to. The database checks the form of the rest. */
export function pushSubscriptionGuard({ push, limits }: GuardOptions): Guard {
  const counted = ownGuard(limits, 'additions_per_account', 'browsers');
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
export function noticeAddressGuard({ outbound, limits, webhookSecretOf }: GuardOptions): Guard {
  const counted = ownGuard(limits, 'additions_per_account', 'addresses');
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
export function offerGuard({ limits, hasMail, emailDomainDenylist }: GuardOptions): Guard {
  const taken = new WeakMap<GuardedCall, TakenCounters>();
  return {
    normalized: { email_param: normalizeAddress },
    async before(call) {
      const { account, role } = call;
      if (account === null || role !== 'authenticated') return;
      const email = call.argument('email_param');
      refuseAddress(email, { hasMail, emailDomainDenylist });
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
export function contactGuard({ limits, canText, hasMail, emailDomainDenylist }: GuardOptions): Guard {
  return {
    normalized: { email_param: normalizeAddress, phone_param: trimBlanks },
    async before({ account, role, argument }) {
      if (account === null || role !== 'authenticated') return;
      const [email, phone] = [argument('email_param'), argument('phone_param')];
      if (phone !== '' && !canText(phone)) throw numberNotTexted();
      if (email !== '') refuseAddress(email, { hasMail, emailDomainDenylist });
      const { retryAfterSeconds } = await takeAll(limits, [
        ['invitations_and_reports_per_account', `${account} invitations`],
      ]);
      refuse(retryAfterSeconds);
    },
  };
}

/** Refuses a normalized address that cannot be one, or that gets no mail. */
export function refuseAddress(
  email: string,
  { hasMail, emailDomainDenylist }: Pick<GuardOptions, 'hasMail' | 'emailDomainDenylist'>,
): void {
  const { problem } = readEmailAddress(email, emailDomainDenylist);
  if (problem === 'denied' || !hasMail) throw mailNotAccepted();
  if (problem === 'malformed') throw noEmailAddress();
}

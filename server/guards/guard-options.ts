import type { ReturnCodes } from '#server/conversations/return-codes.ts';
import type { OutboundClient } from '#server/delivery/outbound/outbound-client.ts';
import type { WebPush } from '#server/delivery/push/web-push.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { RateLimits } from '#server/limits/rate-limits.ts';
import type { Database } from '#server/postgres/database.ts';

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
  /** Whether emails are sent. */
  readonly hasMail: boolean;
  /** Domains that get no mail, by the operator's configuration. */
  readonly emailDomainDenylist: readonly string[];
}

import type { LimitName } from '#server/http/limits.ts';
import type { RateLimits } from '#server/http/rate-limits.ts';
import { tooManyRequests } from './errors.ts';

export interface GuardedCall {
  readonly clientAddress: string;
  /** The arguments by name, as text. */
  argument(name: string): string;
}

/** What the service adds to a call that visitors may make. Rights are PostgreSQL's; this is about how often. */
export interface Guard {
  /** Refuses by throwing. */
  before?(call: GuardedCall): Promise<void> | void;
  /** An answer in place of the call, as JSON text; undefined lets the call happen. */
  instead?(): string | undefined;
  /** Looks at what was answered, as JSON text, before it leaves. */
  after?(call: GuardedCall, body: string): Promise<void> | undefined;
  /** Looks at the error code of a call that failed. */
  failed?(call: GuardedCall, code: string): Promise<void> | undefined;
}

export interface GuardOptions {
  readonly limits: RateLimits<LimitName>;
  /** No answer differs by whether an address has an account. */
  readonly hideAccountExistence: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Addresses that are remembered as blocked; the oldest is asked about again when there are more. */
const MOST_BLOCKED = 10_000;

/** Every function with a guard. The secret key, which no visitor has, passes them all. */
export function guardedFunctions({ limits, hideAccountExistence, now }: GuardOptions): ReadonlyMap<string, Guard> {
  const take = async (name: LimitName, key: string): Promise<void> => {
    const answer = await limits.take(name, key);
    if (!answer.allowed) throw tooManyRequests(answer.retryAfterSeconds);
  };

  // Whoever tries codes is told by the misses, so every function that tells a code with an item from one without
  // counts them together. A hit costs nothing, not even a question to the database.
  const blockedUntil = new Map<string, number>();
  const refuseBlocked = ({ clientAddress }: GuardedCall): void => {
    const until = blockedUntil.size === 0 ? undefined : blockedUntil.get(clientAddress);
    if (until === undefined) return;
    if (until > now()) throw tooManyRequests(Math.ceil((until - now()) / 1000));
    blockedUntil.delete(clientAddress);
  };
  const countMiss = async ({ clientAddress }: GuardedCall): Promise<void> => {
    const answer = await limits.take('find_item_miss', clientAddress);
    if (answer.allowed) return;
    if (blockedUntil.size >= MOST_BLOCKED) {
      const oldest = blockedUntil.keys().next();
      if (!oldest.done) blockedUntil.delete(oldest.value);
    }
    blockedUntil.set(clientAddress, now() + answer.retryAfterSeconds * 1000);
    throw tooManyRequests(answer.retryAfterSeconds);
  };
  const countsMisses: Guard = {
    before: refuseBlocked,
    after: (call, body) => (body === 'null' ? countMiss(call) : undefined),
  };

  return new Map<string, Guard>([
    ['find_item', countsMisses],
    ['get_qr_code_owner', countsMisses],
    [
      'send_message',
      {
        async before(call) {
          refuseBlocked(call);
          const code = call.argument('qr_id_param');
          await take('send_message_per_tag_and_address', `${code} ${call.clientAddress}`);
          await take('send_message_per_tag', code);
        },
        // No item has this code.
        failed: (call, code) => (code === 'PT404' ? countMiss(call) : undefined),
      },
    ],
    [
      'check_user_exists',
      {
        before: ({ clientAddress }) => take('check_user_exists', clientAddress),
        instead: () => (hideAccountExistence ? '{"exists": false, "message": null}' : undefined),
      },
    ],
  ]);
}

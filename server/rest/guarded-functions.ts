import type { LimitName } from '#server/http/limits.ts';
import type { RateLimits } from '#server/http/rate-limits.ts';
import { tooManyRequests } from './errors.ts';

export interface GuardedCall {
  readonly clientAddress: string;
  /** The arguments by name, as text. */
  argument(name: string): string;
}

/** What the service adds to a call that visitors may make: limits before it, an answer in its place, or a look at what it answered. */
export interface Guard {
  before?(call: GuardedCall): Promise<void> | void;
  /** An answer in place of the call, as JSON text; undefined lets the call happen. */
  instead?(): string | undefined;
  after?(call: GuardedCall, body: string | null): Promise<void> | void;
}

export interface GuardOptions {
  readonly limits: RateLimits<LimitName>;
  readonly hideAccountExistence: boolean;
  readonly now: () => number;
}

/** Addresses that are remembered as blocked; the oldest is asked about again when there are more. */
const MOST_BLOCKED = 10_000;

/** Every function with a guard. Rights are PostgreSQL's; this is only about how often, and about what a count may show. */
export function guardedFunctions({ limits, hideAccountExistence, now }: GuardOptions): ReadonlyMap<string, Guard> {
  const take = async (name: LimitName, key: string): Promise<void> => {
    const answer = await limits.take(name, key);
    if (!answer.allowed) throw tooManyRequests(answer.retryAfterSeconds);
  };
  const blockedUntil = new Map<string, number>();

  return new Map<string, Guard>([
    [
      'find_item',
      {
        // A hit costs nothing, not even a question to the database: only misses are counted, and the blocked remembered.
        before({ clientAddress }) {
          const until = blockedUntil.size === 0 ? undefined : blockedUntil.get(clientAddress);
          if (until === undefined) return;
          if (until > now()) throw tooManyRequests(Math.ceil((until - now()) / 1000));
          blockedUntil.delete(clientAddress);
        },
        async after({ clientAddress }, body) {
          if (body !== 'null') return;
          const answer = await limits.take('find_item_miss', clientAddress);
          if (answer.allowed) return;
          if (blockedUntil.size >= MOST_BLOCKED) {
            const oldest = blockedUntil.keys().next();
            if (!oldest.done) blockedUntil.delete(oldest.value);
          }
          blockedUntil.set(clientAddress, now() + answer.retryAfterSeconds * 1000);
          throw tooManyRequests(answer.retryAfterSeconds);
        },
      },
    ],
    [
      'send_message',
      {
        async before(call) {
          const code = call.argument('qr_id_param');
          await take('send_message_per_tag_and_address', `${code} ${call.clientAddress}`);
          await take('send_message_per_tag', code);
        },
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

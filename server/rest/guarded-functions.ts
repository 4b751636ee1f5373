import type { LimitName } from '#server/http/limits.ts';
import { createMessageLimit, type MessageCount } from '#server/http/message-limit.ts';
import type { MissLimit } from '#server/http/miss-limit.ts';
import type { RateLimits } from '#server/http/rate-limits.ts';
import type { Database } from '#server/postgres/database.ts';
import { tooManyRequests } from './errors.ts';

export interface GuardedCall {
  readonly clientAddress: string;
  /** The account of the caller, also where the sign-in waits for a second factor; null for a visitor. */
  readonly account: string | null;
  /** The arguments by name, as text. */
  argument(name: string): string;
}

/** What the service adds to a call that visitors may make. Rights are PostgreSQL's; this is about how often. */
export interface Guard {
  /** The function neither reads the request's settings nor writes the answer's. */
  readonly keepsToItself?: boolean;
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
  readonly database: Pick<Database, 'asService'>;
  readonly limits: RateLimits<LimitName>;
  /** Shared with the pages, so that whoever is refused there is refused here. */
  readonly misses: MissLimit;
  /** No answer differs by whether an address has an account. */
  readonly hideAccountExistence: boolean;
}

/** Every function with a guard. The secret key, which no visitor has, passes them all. */
export function guardedFunctions(options: GuardOptions): ReadonlyMap<string, Guard> {
  const { limits, misses, hideAccountExistence } = options;
  const messageLimit = createMessageLimit(options);
  const countedMessages = new WeakMap<GuardedCall, MessageCount>();
  const countMiss = async ({ clientAddress }: GuardedCall) => refuse(await misses.countMiss(clientAddress));
  const countsMisses: Guard = {
    keepsToItself: true,
    before: ({ clientAddress, argument }) => refuse(misses.refusal(clientAddress, argument('qr_id_param'))),
    after: (call, body) => (body === 'null' ? countMiss(call) : undefined),
  };

  return new Map<string, Guard>([
    ['find_item', countsMisses],
    ['get_qr_code_owner', countsMisses],
    [
      'send_message',
      {
        async before(call) {
          const { clientAddress, argument } = call;
          const code = argument('qr_id_param');
          refuse(misses.refusal(clientAddress, code));
          const messageId = argument('message_id_param');
          const finderKey = argument('finder_key_param') || null;
          const counted = await messageLimit({ code, address: clientAddress, messageId, finderKey });
          refuse(counted.retryAfterSeconds);
          countedMessages.set(call, counted);
        },
        async failed(call, code) {
          await countedMessages.get(call)?.giveBack();
          // PT404: no item has this code.
          if (code === 'PT404') await countMiss(call);
        },
      },
    ],
    [
      'send_reply',
      {
        async before({ argument }) {
          const answer = await limits.take('send_reply_per_conversation', argument('conversation_id_param'));
          if (!answer.allowed) refuse(answer.retryAfterSeconds);
        },
      },
    ],
    ['use_recovery_code', recoveryCodeGuard(options)],
    [
      'check_user_exists',
      {
        async before({ clientAddress }) {
          for (const [limit, key] of [
            ['check_user_exists', clientAddress],
            ['check_user_exists_from_everywhere', 'all'],
          ] as const) {
            const answer = await limits.take(limit, key);
            if (!answer.allowed) refuse(answer.retryAfterSeconds);
          }
        },
        instead: () => (hideAccountExistence ? '{"exists": false, "message": null}' : undefined),
      },
    ],
  ]);
}

/** A visitor has no codes to guess at. */
function recoveryCodeGuard({ database, limits }: GuardOptions): Guard {
  const name = 'recovery_code_failures_per_account';
  return {
    async before({ account }) {
      const answer = account === null ? null : await limits.peek([name, account]);
      if (answer?.allowed === false) refuse(answer.retryAfterSeconds);
    },
    // 22023: the code is not valid.
    async failed({ account }, code) {
      if (account === null || code !== '22023') return;
      const failure = {
        name: 'record_recovery_code_failure',
        text: "select internal.record_failure('recovery_code_failed', $1)",
        values: [account],
      };
      await Promise.all([limits.take(name, account), database.asService(failure)]);
    },
  };
}

function refuse(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
}

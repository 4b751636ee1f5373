import * as v from 'valibot';
import { ACCOUNT_CHANGE_KINDS } from '#domain/account/account-changes.ts';
import type { MessageKind } from '#domain/contact/message-details.ts';
import type { PhraseFields } from '#domain/contact/phrases.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { CountNotice } from '#server/metrics/count-deliveries.ts';
import type { OwnerTurns } from './owner-turns.ts';

export type ReceiverNeeds = Pick<
  Dependencies,
  'database' | 'sent' | 'config' | 'secrets' | 'limits' | 'log' | 'now'
> & {
  readonly turns: OwnerTurns;
  /** Whether the worker is for receivers that accepted the last thing that they were sent. */
  readonly forKnown: boolean;
  readonly countNotice: CountNotice;
  /** Rejects where another server has taken over the job. */
  readonly confirmJob: () => Promise<void>;
};

/** What became of an attempt, with the HTTP status; 0 where there was no response. */
export type ReceiverOutcome =
  | { readonly kind: 'accepted'; readonly status: number }
  /** The receiver exists no longer. */
  | { readonly kind: 'ended'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly retryAfter: string | null;
      /** How much of the time for a response was left, in seconds. */
      readonly unusedSeconds?: number;
    };

/** A receiver, and the message that it is told of. */
export interface ReceiverRow extends PhraseFields {
  readonly id: string;
  readonly user_id: string;
  /** Where requests to the receiver go. */
  readonly url: string;
  readonly failures: number;
  /** Whether it accepted the last thing that it was sent. */
  readonly is_proved: boolean;
  /** In how many seconds the receiver may be tried again; at most 0 for now. */
  readonly wait_seconds: number;
  readonly has_failed_too_long: boolean;
  /** Whether the last attempt is so long ago that a failure is the first of its own. */
  readonly was_idle: boolean;
  readonly is_wanted: boolean;
  /** In how many seconds the owner's quiet hours end; 0 outside of them. */
  readonly quiet_for: number;
  /** The finder's unread messages, up to a bound. */
  readonly unread: number;
  /** All null for a test or a change, and where the message is gone. */
  readonly body: string | null;
  readonly message_kind: MessageKind | null;
  /** Also null where the finder named none. */
  readonly place: string | null;
  /** The owner's (IANA), where they have quiet hours. */
  readonly owner_zone: string | null;
  /** The owner's. */
  readonly language: string | null;
  readonly sent_at: Date | null;
  readonly conversation_id: string | null;
  readonly item_id: string | null;
  readonly qr_id: string | null;
  readonly item_name: string | null;
  readonly is_first: boolean | null;
  readonly owner_has_replied: boolean | null;
}

/** A kind of receivers of an owner that are told of messages and changes. The texts are parts of SQL. */
export interface ReceiverKind<Row extends ReceiverRow> {
  /** With the columns failures, failing_since, retry_at, delivered_at, ended_at, attempted_at, and last_status. */
  readonly table: 'public.push_subscriptions' | 'public.notice_addresses';
  readonly task: 'send_push' | 'send_notice';
  /** The name of the receiver's id in the payload of the job. */
  readonly idName: 'subscription_id' | 'address_id';
  /** The first part of the keys of `server/delivery/sent-keys.ts`. */
  readonly sentName: 'push' | 'notice';
  /** What the log calls it. */
  readonly called: string;
  /** Further columns of `receiver` and `settings`, among them `url` and `is_wanted`. */
  readonly columns: string;
  readonly joins: string;
  /** Whether a receiver waits in quiet hours. */
  readonly waitsInQuietHours: string;
  /** @throws OutboundFailure where there is no response, or the signal ends before it. */
  readonly send: (row: Row, signal: AbortSignal) => Promise<ReceiverOutcome>;
}

export interface ReceiverJob {
  readonly receiverId: string;
  readonly messageId: string | null;
  readonly change: NoticedChange | null;
}

/** Returns the id of the message or the change; null for a test. */
export function subjectOf({ messageId, change }: ReceiverJob): string | null {
  return messageId ?? change?.id ?? null;
}

/** The schema of a change of the account in the payload of a job; null or absent for a message or a test. */
export const noticedChange = v.nullish(
  v.object({ id: v.pipe(v.string(), v.uuid()), kind: v.picklist(ACCOUNT_CHANGE_KINDS), at: v.string() }),
  null,
);

export type NoticedChange = NonNullable<v.InferOutput<typeof noticedChange>>;

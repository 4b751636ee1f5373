import type { AccountChange } from '#domain/account/account-changes.ts';
import type { Transaction } from '#server/postgres/statement.ts';

export interface AccountMailRequest {
  readonly kind: 'address_proof' | 'address_lost';
  readonly userId: string;
}

/** Queues an email about the account's address. It is sent once the transaction commits, and only then. */
export async function enqueueAccountMail(
  transaction: Transaction,
  { kind, userId }: AccountMailRequest,
): Promise<void> {
  await transaction.query({
    name: 'auth_enqueue_account_mail',
    text: 'select internal.enqueue_account_mail($1, $2)',
    values: [kind, userId],
  });
}

export interface ChangeNoticeRequest {
  readonly change: AccountChange;
  readonly userId: string;
  /** The session that made it, where it is known. */
  readonly sessionId?: string;
  /** The former address or number, where that is what changed; null where there was none. */
  readonly former?: string | null;
}

/** Queues the notice of an account's change. It is sent once the transaction commits, and only then. */
export async function enqueueChangeNotice(
  transaction: Transaction,
  { change, userId, sessionId, former }: ChangeNoticeRequest,
): Promise<void> {
  await transaction.query({
    name: 'auth_enqueue_change_notice',
    text: 'select internal.enqueue_change_notice($1, $2, $3, $4)',
    values: [change, userId, sessionId ?? null, former ?? null],
  });
}

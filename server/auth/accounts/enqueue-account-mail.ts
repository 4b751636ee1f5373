import type { Transaction } from '#server/postgres/statement.ts';

export interface AccountMailRequest {
  readonly kind: 'address_proof' | 'address_lost' | 'email_changed' | 'password_changed' | 'phone_changed';
  readonly userId: string;
  /** The recipient, where it differs from the account's address. */
  readonly address?: string;
}

/** Queues an email about the account. It is sent once the transaction commits, and only then. */
export async function enqueueAccountMail(
  transaction: Transaction,
  { kind, userId, address }: AccountMailRequest,
): Promise<void> {
  await transaction.query({
    name: 'auth_enqueue_account_mail',
    text: 'select internal.enqueue_account_mail($1, $2, $3)',
    values: [kind, userId, address ?? null],
  });
}

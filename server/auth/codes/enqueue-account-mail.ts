import type { Transaction } from '#server/postgres/statement.ts';

export interface AccountMailRequest {
  readonly kind: 'address_proof' | 'address_lost' | 'email_changed' | 'password_changed' | 'phone_changed';
  readonly userId: string;
  /** Where it goes, if that is not the address of the account. */
  readonly address?: string;
}

/** An e-mail about the account, which is on its way once the transaction is committed and is never sent otherwise. */
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

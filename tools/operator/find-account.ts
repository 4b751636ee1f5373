import type { User } from '@supabase/supabase-js';
import { isUuid } from '#server/is-uuid.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';
import { listAccounts } from './list-accounts.ts';
import { orThrow } from './or-throw.ts';

/** Returns the account with the id or email address. Throws an OperatorError where there is none. */
export async function findAccount(service: ServiceConnection, account: string): Promise<User> {
  if (isUuid(account)) return orThrow(service, await service.client.auth.admin.getUserById(account)).user;
  const address = account.trim().toLowerCase();
  // One page is enough: there are not more addresses that contain another complete address.
  const { users } = await listAccounts(service, { filter: address, page: 1, perPage: 1_000 });
  const found = users.find(({ email }) => email === address);
  if (found === undefined) throw new OperatorError(`No account has the address ${JSON.stringify(address)}.`);
  return found;
}

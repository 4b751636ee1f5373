import { createHmac } from 'node:crypto';
import type { AuthService } from '../auth-service.ts';
import { bcryptCostOf } from './imported-passwords.ts';
import { type HashingTurn, SALT_BYTES, saltOfAccount } from './passwords.ts';
import type { UserRow } from './user.ts';

/**
 * Replaces a hash that another service made by one of ours, once the password is known. Returns the account's hash, also
 * where it was ours before. Throws `hashingBusy`.
 */
export async function replaceImportedHash(
  service: Pick<AuthService, 'passwords' | 'alone' | 'saltSecret'>,
  user: Pick<UserRow, 'id' | 'email' | 'claimed_email' | 'encrypted_password'>,
  { password, turn }: { readonly password: string; readonly turn: HashingTurn },
): Promise<string | null> {
  const { encrypted_password: imported } = user;
  if (imported === null || bcryptCostOf(imported) === null) return imported;
  // Two sign-ins at once make the same hash, so that each finds the one that it proved.
  const ownSalt = createHmac('sha256', service.saltSecret).update(user.id).digest().subarray(0, SALT_BYTES);
  const made = await service.passwords.hash(password, turn, (await saltOfAccount(service, user)) ?? ownSalt);
  await service.alone.query({
    name: 'auth_replace_imported_hash',
    text: 'select internal.replace_imported_hash($1, $2, $3)',
    values: [user.id, imported, made],
  });
  return made;
}

import type { Dependencies } from '#server/dependencies.ts';
import type { Caller } from '#server/postgres/caller.ts';
import type { AddressTokens } from './address-tokens.ts';
import type { StorageFiles } from './open-storage-files.ts';

/** The dependencies of the storage use cases. */
export interface StorageContext extends Pick<Dependencies, 'database' | 'limits' | 'now'>, StorageFiles {
  readonly addressTokens: AddressTokens;
  /** The largest object of a bucket that has no limit of its own, in bytes. */
  readonly mostBytes: number;
  /** The most bytes in all objects of one account. */
  readonly accountBytes: number;
}

/** Returns the account that owns a caller's uploads; null for a visitor and for the service. */
export function accountOf({ role, claims }: Caller): string | null {
  return role === 'authenticated' && typeof claims.sub === 'string' ? claims.sub : null;
}

import { createPasswordHasher, type PasswordHasher } from '#server/auth/accounts/passwords.ts';

/** A hasher that records its comparisons: no response may reveal them. */
export interface WatchedHasher extends PasswordHasher {
  /** How often a password was compared. */
  count: number;
  /** Set, it is waited for before a password is compared. */
  before: ((password: string) => Promise<void>) | undefined;
}

/** A hasher, the real one where none is given, except that every comparison is counted and may be held. */
export function watchedHasher(hasher: PasswordHasher = createPasswordHasher()): WatchedHasher {
  const watched: WatchedHasher = {
    ...hasher,
    count: 0,
    before: undefined,
    async matches(password, phc, turn) {
      watched.count += 1;
      await watched.before?.(password);
      return hasher.matches(password, phc, turn);
    },
    async findAmong(password, phcs, turn) {
      watched.count += 1;
      await watched.before?.(password);
      return hasher.findAmong(password, phcs, turn);
    },
  };
  return watched;
}

import { createPasswordHasher, type PasswordHasher } from '#server/auth/password-hasher.ts';

/** A hasher whose comparisons are looked at from outside: no answer may tell of them. */
export interface WatchedHasher extends PasswordHasher {
  /** How often a password was compared. */
  count: number;
  /** Set, it is waited for before a password is compared. */
  before: ((password: string) => Promise<void>) | undefined;
}

/** The real hasher, except that every comparison is counted and may be held. */
export function watchedHasher(): WatchedHasher {
  const hasher = createPasswordHasher();
  const watched: WatchedHasher = {
    ...hasher,
    count: 0,
    before: undefined,
    async matches(password, phc) {
      watched.count += 1;
      await watched.before?.(password);
      return hasher.matches(password, phc);
    },
    async findAmong(password, phcs) {
      watched.count += 1;
      await watched.before?.(password);
      return hasher.findAmong(password, phcs);
    },
  };
  return watched;
}

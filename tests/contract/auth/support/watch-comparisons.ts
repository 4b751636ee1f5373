import type * as Hashing from '#server/auth/password-hasher.ts';

/** What the servers of a test file compare passwords with, looked at from outside: no answer may tell of it. */
export const comparing: {
  /** How often a password was compared. */
  count: number;
  /** Set, it is waited for before a password is compared. */
  before: ((password: string) => Promise<void>) | undefined;
} = { count: 0, before: undefined };

/** The module as it is, except that every comparison is counted and may be held. For `vi.mock`. */
export function watched(real: typeof Hashing): typeof Hashing {
  return {
    ...real,
    createPasswordHasher(options) {
      const hasher = real.createPasswordHasher(options);
      return {
        ...hasher,
        async matches(password, phc) {
          comparing.count += 1;
          await comparing.before?.(password);
          return hasher.matches(password, phc);
        },
      };
    },
  };
}

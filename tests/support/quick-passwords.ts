import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '#server/auth/accounts/passwords.ts';

/** Argon2id at the lowest cost that it has. A production server's takes a hundred times as long. */
const COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * What the tests' servers hash passwords with, where a test is not about the hashing: right and wrong, normalized and
 * whole as in production. It takes hashes of any cost for the same password.
 */
export const quickPasswords: PasswordHasher = {
  hash: (password, _turn, salt) => hash(password.normalize('NFKC'), { ...COST, ...(salt !== undefined && { salt }) }),
  matches: async (password, phc) => phc !== null && (await verify(phc, password.normalize('NFKC'))),
  waiting: () => 0,
  async findAmong(password, phcs) {
    for (const phc of phcs) if (await verify(phc, password.normalize('NFKC'))) return phc;
    return undefined;
  },
};

import { bcryptCostOf } from '../accounts/imported-passwords.ts';

/** Argon2id in PHC form. */
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,171}$/;

/** The highest cost of one sign-in: 128 MiB and ten passes, which is six and five times the cost of our own hashes. */
const MOST = { memoryKib: 131_072, passes: 10, lanes: 4 };

/** Whether a password hash made by another service can be imported: Argon2id, or bcrypt, at a bounded cost. */
export function isAcceptablePasswordHash(hash: string): boolean {
  if (bcryptCostOf(hash) !== null) return true;
  const [, memoryKib = 'none', passes = 'none', lanes = 'none'] = ARGON2ID.exec(hash) ?? [];
  return Number(memoryKib) <= MOST.memoryKib && within(passes, MOST.passes) && within(lanes, MOST.lanes);
}

function within(number: string, most: number): boolean {
  return Number(number) >= 1 && Number(number) <= most;
}

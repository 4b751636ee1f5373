import { verify } from '@node-rs/bcrypt';

/**
 * A bcrypt hash of another service, with a cost between 4 and 12. The last digit of the salt and that of the hash end in
 * zeros: the library matches no other one, and refuses it in no time. `$2x$` names a faulty variant.
 */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** Returns the cost of a bcrypt hash, or null for any other text. Each step doubles the time; 12 takes about 0.3 s. */
export function bcryptCostOf(hash: string): number | null {
  const [, cost] = BCRYPT.exec(hash) ?? [];
  return cost === undefined ? null : Number(cost);
}

/**
 * Whether the password matches the bcrypt hash; null never does. Takes as long as a hash of cost `asLongAs`, whatever the
 * cost of the given one. Runs in the thread pool. The password is compared as typed: other services do not normalize it.
 */
export async function matchesBcrypt(password: string, hash: string | null, asLongAs: number): Promise<boolean> {
  const cost = hash === null ? null : bcryptCostOf(hash);
  if (hash === null || cost === null) {
    await verify(password, decoy(asLongAs));
    return false;
  }
  const same = await verify(password, hash);
  // The work of cost c is 2^c, and 2^c + (2^c + 2^(c+1) + … + 2^(n-1)) is 2^n.
  for (let rest = cost; rest < asLongAs; rest += 1) await verify(password, decoy(rest));
  return same;
}

/** A hash of no known password. */
function decoy(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}

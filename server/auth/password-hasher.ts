import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Gate } from '#server/gate.ts';
import { AuthError } from './auth-error.ts';

/** Argon2id (the library's default variant) with 19 MiB, two passes, one lane: OWASP Password Storage Cheat Sheet. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Node's thread pool has four threads (UV_THREADPOOL_SIZE). One stays free for what else needs one, every signature that
 * is checked among it: nobody's call is to wait for other people's passwords.
 */
const MOST_THREADS = 3;

/** A hash with those parameters that no password is known for; an account that is not there costs the same as one that is. */
export const HASH_OF_NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$eG6tw7896nKjFzp7G1TpYg$kU7fGpam8Pi7x48MsS50SSPiueYNZLmdnJueJUf81AA';

/**
 * A password is the same however a keyboard composes its letters: it is normalised (NFKC; NIST SP 800-63B, section
 * 3.1.1.2) before it is hashed. Nothing of it is cut off.
 */
export interface PasswordHasher {
  /** A PHC string. Throws `hashingBusy` where too many wait. */
  hash(password: string): Promise<string>;
  /** Whether the password is the hashed one; null stands for no password, is never it, and takes as long. */
  matches(password: string, phc: string | null): Promise<boolean>;
}

export interface PasswordHasherOptions {
  readonly cores?: number;
  /** How many are hashed at the same time. */
  readonly atOnce?: number;
  /** How many may wait for their turn. At about 35 hashes a second and core, 128 a core wait for less than 4 s. */
  readonly waiting?: number;
}

/** Hashes in the thread pool, off the event loop, behind a bounded queue. */
export function createPasswordHasher({
  cores = availableParallelism(),
  atOnce = Math.min(cores, MOST_THREADS),
  waiting = 128 * atOnce,
}: PasswordHasherOptions = {}): PasswordHasher {
  const gate = new Gate(atOnce, waiting);
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (gate.isFull) throw new AuthError('hashingBusy', { retryAfterSeconds: 2 });
    return await gate.run(work);
  };
  return {
    hash: (password) => inTurn(() => hash(password.normalize('NFKC'), PARAMETERS)),
    matches: (password, phc) =>
      inTurn(async () => {
        const same = await verify(phc ?? HASH_OF_NOBODY, password.normalize('NFKC'));
        return same && phc !== null;
      }),
  };
}

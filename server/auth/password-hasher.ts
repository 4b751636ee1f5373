import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
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
  /** A PHC string, with a salt of its own unless one is given. Throws `hashingBusy` where too many wait. */
  hash(password: string, salt?: Buffer): Promise<string>;
  /** Whether the password is the hashed one; null stands for no password, is never it, and takes as long. */
  matches(password: string, phc: string | null): Promise<boolean>;
  /**
   * The first of several hashes that the password has, or undefined. Those with one salt cost one hashing together; more
   * than two salts are not looked at.
   */
  findAmong(password: string, phcs: readonly string[]): Promise<string | undefined>;
}

/** The salt of a PHC string, or undefined where it cannot be read. */
export function saltOf(phc: string): Buffer | undefined {
  const salt = phc.split('$')[4];
  return salt === undefined || salt === '' ? undefined : Buffer.from(salt, 'base64');
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
    hash: (password, salt) => inTurn(() => hash(password.normalize('NFKC'), { ...PARAMETERS, ...(salt && { salt }) })),
    matches: (password, phc) =>
      inTurn(async () => {
        const same = await verify(phc ?? HASH_OF_NOBODY, password.normalize('NFKC'));
        return same && phc !== null;
      }),
    findAmong: (password, phcs) => inTurn(() => findAmong(password.normalize('NFKC'), phcs)),
  };
}

/** Accounts that claim one address share a salt; another one is of a hash that an operator brought. */
const MOST_SALTS = 2;

async function findAmong(password: string, phcs: readonly string[]): Promise<string | undefined> {
  const bySalt = Map.groupBy(phcs, (phc) => phc.slice(0, phc.lastIndexOf('$')));
  for (const group of [...bySalt.values()].slice(0, MOST_SALTS)) {
    const [first = HASH_OF_NOBODY] = group;
    const typed = Buffer.from(await hash(password, { ...parametersOf(first), salt: saltOf(first) ?? Buffer.alloc(0) }));
    const found = group.find((phc) => isSame(typed, Buffer.from(phc)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `m=19456,t=2,p=1` of a PHC string. */
function parametersOf(phc: string): Options {
  const named = new Map((phc.split('$')[3] ?? '').split(',').map((pair) => [pair.split('=')[0], pair.split('=')[1]]));
  return {
    memoryCost: Number(named.get('m') ?? PARAMETERS.memoryCost),
    timeCost: Number(named.get('t') ?? PARAMETERS.timeCost),
    parallelism: Number(named.get('p') ?? PARAMETERS.parallelism),
    outputLen: Buffer.from(phc.slice(phc.lastIndexOf('$') + 1), 'base64').length,
  };
}

function isSame(typed: Buffer, stored: Buffer): boolean {
  return typed.length === stored.length && timingSafeEqual(typed, stored);
}

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { hash, type Options, verify } from '@node-rs/argon2';
import { countCharacters } from '#domain/contact/count-characters.ts';
import type { Config } from '#server/config.ts';
import { FairQueue, QueueFull } from '#server/limits/fair-queue.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { AuthError, type Refusal } from '../wire/auth-error.ts';
import { bcryptCostOf, matchesBcrypt } from './imported-passwords.ts';
import { findClaims, type UserRow } from './user.ts';

/** In code points, of any script. A longer password is refused and never cut off. */
const LONGEST_PASSWORD = 72;
/** The most UTF-16 units that a character of a keyboard takes when its marks are apart. */
const MOST_UNITS_PER_CHARACTER = 8;

export type PasswordRules = Pick<Config, 'passwordLength' | 'commonPasswords'>;

/** Why a password is weak, in the protocol's terms. No kind of character is required, so there is no `characters`. */
interface Weakness {
  readonly refusal: Refusal;
  /** The required length; set where the password is shorter. */
  readonly leastLength?: number;
  readonly reasons: readonly ('length' | 'pwned')[];
}

/** Checks a new password before it is hashed. Throws `passwordTooLong`, or with every reason why it is weak. */
export function requireAcceptablePassword(rules: PasswordRules, password: string): void {
  if (isTooLong(password)) throw new AuthError('passwordTooLong');
  const weakness = weaknessOf(rules, password);
  if (weakness !== null) throw describeWeakness(weakness);
}

/** Returns the error that describes the weakness to clients. */
export function describeWeakness({ refusal, reasons, leastLength }: Weakness): AuthError {
  return new AuthError(refusal, {
    weakPasswordReasons: reasons,
    ...(leastLength !== undefined && { detail: leastLength }),
  });
}

/** Whether the password is longer than any account's can be, so that there is no need to hash it. */
export function isTooLong(password: string): boolean {
  if (password.length > LONGEST_PASSWORD * MOST_UNITS_PER_CHARACTER) return true;
  return countCharacters(password.normalize('NFKC')) > LONGEST_PASSWORD;
}

/** Returns why a password is weak under the current rules, which a password chosen earlier may not meet, or null. */
export function weaknessOf({ passwordLength, commonPasswords }: PasswordRules, password: string): Weakness | null {
  const isCommon = !commonPasswords && isCommonPassword(password);
  if (countCharacters(password.normalize('NFKC')) < passwordLength) {
    return isCommon
      ? { refusal: 'passwordTooShortAndCommon', reasons: ['length', 'pwned'], leastLength: passwordLength }
      : { refusal: 'passwordTooShort', reasons: ['length'], leastLength: passwordLength };
  }
  return isCommon ? { refusal: 'passwordCommon', reasons: ['pwned'] } : null;
}

/** About 3,300 in lower case, 27 kB. */
const COMMON = new Set(
  readFileSync(join(PROJECT_ROOT, 'server/auth/accounts/common-passwords.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

/** Whether a password is on the list of common passwords, regardless of case (NIST SP 800-63B, section 3.1.1.2). */
function isCommonPassword(password: string): boolean {
  return COMMON.has(password.normalize('NFKC').toLowerCase());
}

/** Argon2id (the library's default variant) with 19 MiB, two passes, one lane: OWASP Password Storage Cheat Sheet. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * libuv's thread pool has four threads (UV_THREADPOOL_SIZE). One stays free for other work, such as verifying token
 * signatures, so that no request waits behind password hashing.
 */
const MOST_THREADS = 3;

/** A hash with the same parameters and no known password, so that an unknown account takes as long as a known one. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$eG6tw7896nKjFzp7G1TpYg$kU7fGpam8Pi7x48MsS50SSPiueYNZLmdnJueJUf81AA';

/**
 * The holder and the lane in which a password is hashed. Waiting requests take turns by holder. Requests from known
 * accounts and devices have a separate lane, and the lanes take turns, so that strangers who try passwords do not delay
 * known accounts.
 */
export interface HashingTurn {
  readonly lane: 'known' | 'strangers';
  readonly holder: string;
}

export function turnOfAddress(address: string): HashingTurn {
  return { lane: 'strangers', holder: address };
}

/** For a session of the account, or a device that the account knows. */
export function turnOfAccount(userId: string): HashingTurn {
  return { lane: 'known', holder: userId };
}

/** For requests of the operator. */
export const TURN_OF_SERVICE: HashingTurn = { lane: 'known', holder: '' };

/**
 * Hashes passwords and compares them. Passwords are normalized first (NFKC; NIST SP 800-63B, section 3.1.1.2), so that
 * keyboards which compose letters differently agree. Passwords are never truncated.
 */
export interface PasswordHasher {
  /** Returns a PHC string, with a random salt unless one is given. Throws `hashingBusy` where the queue is full. */
  hash(password: string, turn: HashingTurn, salt?: Buffer): Promise<string>;
  /**
   * Whether the password matches the hash, ours or an imported one. A null hash never matches and takes as long. With the
   * highest cost of imported bcrypt hashes, every hash takes as long as Argon2id and bcrypt of that cost together.
   */
  matches(password: string, hash: string | null, turn: HashingTurn, importedCost?: number | null): Promise<boolean>;
  /**
   * Returns the first of several hashes that matches, or undefined. Hashes with the same salt are compared by hashing
   * once; only the first two salts are tried, and the first imported bcrypt hash. It takes as long as `matches`.
   */
  findAmong(
    password: string,
    hashes: readonly string[],
    turn: HashingTurn,
    importedCost?: number | null,
  ): Promise<string | undefined>;
  /** How many requests wait for their turn. */
  waiting(): number;
}

/** Returns the salt of a PHC string, or undefined where it cannot be read, as that of an imported hash. */
export function saltOf(phc: string): Buffer | undefined {
  const salt = phc.split('$')[4];
  return salt === undefined || salt === '' ? undefined : Buffer.from(salt, 'base64');
}

export interface PasswordHasherOptions {
  readonly cores?: number;
  /** How many passwords are hashed at the same time. */
  readonly atOnce?: number;
  /**
   * How many requests may wait in each lane. One core computes about 35 hashes a second, so 128 per core wait for less
   * than 4 s.
   */
  readonly waiting?: number;
}

/** Hashes in the thread pool, off the event loop, behind a bounded queue in which callers take turns. */
export function createPasswordHasher({
  cores = availableParallelism(),
  atOnce = Math.min(cores, MOST_THREADS),
  waiting = 128 * atOnce,
}: PasswordHasherOptions = {}): PasswordHasher {
  const queue = new FairQueue({ atOnce, mostWaiting: waiting });
  const inTurn = async <Result>({ holder, lane }: HashingTurn, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await queue.run(holder, work, lane);
    } catch (error) {
      throw error instanceof QueueFull ? new AuthError('hashingBusy', { retryAfterSeconds: 2 }) : error;
    }
  };
  return {
    hash: (password, turn, salt) =>
      inTurn(turn, () => hash(password.normalize('NFKC'), { ...PARAMETERS, ...(salt && { salt }) })),
    matches: (password, hash, turn, importedCost) =>
      inTurn(turn, async () => {
        const phc = isImported(hash) ? null : hash;
        const isOurs = await verify(phc ?? DECOY_HASH, password.normalize('NFKC'));
        const isTheirs = await matchesImported(password, isImported(hash) ? hash : null, importedCost);
        return (isOurs && phc !== null) || isTheirs;
      }),
    findAmong: (password, hashes, turn, importedCost) =>
      inTurn(turn, async () => {
        const imported = hashes.find(isImported) ?? null;
        const phcs = hashes.filter((hash) => !isImported(hash));
        const ours = await findAmong(password.normalize('NFKC'), phcs.length === 0 ? [DECOY_HASH] : phcs);
        const isTheirs = await matchesImported(password, imported, importedCost);
        if (ours !== undefined && phcs.includes(ours)) return ours;
        return isTheirs && imported !== null ? imported : undefined;
      }),
    waiting: () => queue.waiting(),
  };
}

function isImported(hash: string | null): boolean {
  return hash !== null && bcryptCostOf(hash) !== null;
}

/** Compares with an imported hash; without one, takes the time where the server still has any. */
async function matchesImported(password: string, hash: string | null, importedCost?: number | null): Promise<boolean> {
  const asLongAs = importedCost ?? (hash === null ? null : bcryptCostOf(hash));
  return asLongAs !== null && matchesBcrypt(password, hash, asLongAs);
}

/** Accounts that claim one address share a salt. A second salt occurs where an operator imported a hash. */
const MOST_SALTS = 2;

async function findAmong(password: string, phcs: readonly string[]): Promise<string | undefined> {
  const bySalt = Map.groupBy(phcs, (phc) => phc.slice(0, phc.lastIndexOf('$')));
  for (const group of [...bySalt.values()].slice(0, MOST_SALTS)) {
    const [first = DECOY_HASH] = group;
    const typed = Buffer.from(await hash(password, { ...parametersOf(first), salt: saltOf(first) ?? Buffer.alloc(0) }));
    const found = group.find((phc) => isSame(typed, Buffer.from(phc)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads the parameters of a PHC string, such as `m=19456,t=2,p=1`. */
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

/** RFC 9106, section 3.1: 16 bytes are recommended. */
export const SALT_BYTES = 16;

/**
 * Returns the salt for the password of an account that claims an unproved address.
 *
 * All accounts that claim one address share a salt, so a sign-in hashes once, however many there are. The salt of the
 * first account is derived with the server's key and cannot be precomputed without it.
 */
export async function saltOfAddress(
  { alone, saltSecret }: { readonly alone: Transaction; readonly saltSecret: KeyObject },
  email: string,
): Promise<Buffer> {
  const claims = await findClaims(alone, email, { deviceHash: null });
  const [hash] = claims.map((claim) => claim.encrypted_password).filter((password) => password !== null);
  const shared = hash === undefined ? undefined : saltOf(hash);
  return shared ?? createHmac('sha256', saltSecret).update(email).digest().subarray(0, SALT_BYTES);
}

/**
 * Returns the salt for a new password of an account: the salt of the other accounts that a sign-in by the same address
 * tries, or undefined where there are none and any salt will do.
 */
export async function saltOfAccount(
  service: { readonly alone: Transaction; readonly saltSecret: KeyObject },
  { id, email, claimed_email: claimed }: Pick<UserRow, 'id' | 'email' | 'claimed_email'>,
): Promise<Buffer | undefined> {
  if (claimed !== null) return saltOfAddress(service, claimed);
  const { rows } = await service.alone.query<{ readonly hash: string | null }>({
    name: 'auth_hash_of_lost_address',
    text: `select coalesce(
               (select encrypted_password from auth.users where id = $1 and lost_email_hash is not null),
               (select encrypted_password from auth.users
                  where lost_email_hash = sha256(convert_to($2, 'UTF8')) and encrypted_password is not null
                    and deleted_at is null
                  order by created_at limit 1)
             ) as hash`,
    values: [id, email],
  });
  const hash = rows[0]?.hash ?? null;
  return hash === null ? undefined : saltOf(hash);
}

import type { KeyObject } from 'node:crypto';
import { type Language, languageOf } from '#domain/language.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { createPasswordHasher, type PasswordHasher } from './accounts/passwords.ts';
import { createOneTimeCodes, type OneTimeCodes } from './codes/one-time-code.ts';
import { createSecretBox, type SecretBox } from './factors/secret-box.ts';
import { createOidcProviders, type OidcProviders } from './oidc/providers.ts';
import { createPasskeyChallenges, type PasskeyChallenges } from './passkeys/passkey-challenges.ts';
import { createRefreshTokens, type RefreshTokens } from './sessions/refresh-token.ts';
import { watchGuesses } from './watch-guesses.ts';

/** The dependencies of the auth use cases. */
export interface AuthService
  extends Pick<
    Dependencies,
    'config' | 'secrets' | 'database' | 'tokens' | 'resolveCaller' | 'delivery' | 'limits' | 'log' | 'now'
  > {
  /** The language of the request, and of messages to people whose account has none. */
  readonly language: Language;
  /** The languages that a request can choose from; undefined for all that the build has. */
  readonly languages: readonly [Language, ...Language[]] | undefined;
  /** For statements outside a transaction. */
  readonly alone: Transaction;
  readonly passwords: PasswordHasher;
  readonly codes: OneTimeCodes;
  readonly refreshTokens: RefreshTokens;
  /** Encrypts the secrets of TOTP factors. */
  readonly secretBox: SecretBox;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly oidc: OidcProviders;
  /** Counts a wrong password or code, for the operator. */
  readonly countWrongGuess: () => void;
  /** Keys the counters of wrong passwords, so that the counters reveal nothing about what was typed. */
  readonly guessSecret: KeyObject;
  /** Derives the salt of an unproved address. */
  readonly saltSecret: KeyObject;
  /**
   * How long a response takes that must not reveal by its timing whether an account exists, in milliseconds. With null
   * it takes as long as what it does, so that a test knows what has been sent.
   */
  readonly uniformResponseMs: number | null;
}

/** Long enough for everything that such a response does on the server, apart from sending. */
export const UNIFORM_RESPONSE_MS = 400;

export interface AuthServiceOptions {
  readonly passwords?: PasswordHasher;
  readonly uniformResponseMs?: number | null;
  readonly languages?: readonly [Language, ...Language[]];
}

export function createAuthService(
  { config, secrets, database, tokens, resolveCaller, delivery, limits, metrics, log, now }: Dependencies,
  { passwords = createPasswordHasher(), uniformResponseMs = UNIFORM_RESPONSE_MS, languages }: AuthServiceOptions = {},
): AuthService {
  metrics.gauge({ name: 'reunite_passwords_waiting', help: 'Requests that wait for a password to be hashed.' }, () =>
    passwords.waiting(),
  );
  const secret = secrets.refreshTokenSecret;
  return {
    config,
    secrets,
    database,
    tokens,
    resolveCaller,
    delivery,
    limits,
    log,
    now,
    language: languageOf(config.defaultLanguage),
    languages,
    alone: { query: (statement) => database.asService(statement) },
    passwords,
    codes: createOneTimeCodes({ secret, developmentCode: config.developmentCode }),
    refreshTokens: createRefreshTokens(secret),
    secretBox: createSecretBox(config.secrets.secondFactorSecret ?? secret),
    passkeyChallenges: createPasskeyChallenges(deriveKey(secret, 'challenges of passkeys'), now),
    oidc: createOidcProviders({ config, secret, now }),
    countWrongGuess: watchGuesses({ log, now }),
    guessSecret: deriveKey(secret, 'wrong passwords'),
    saltSecret: deriveKey(secret, 'salts of addresses'),
    uniformResponseMs,
  };
}

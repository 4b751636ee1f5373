import type { KeyObject } from 'node:crypto';
import type { Dependencies } from '#server/dependencies.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Transaction } from '#server/postgres/statement.ts';
import { createSecretBox, type SecretBox } from './factors/secret-box.ts';
import { createOidcProviders, type OidcProviders } from './oidc/providers.ts';
import { createOneTimeCodes, type OneTimeCodes } from './one-time-code.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh-token.ts';

/** What the use cases of this service work with. */
export interface AuthService
  extends Pick<
    Dependencies,
    'config' | 'secrets' | 'database' | 'tokens' | 'resolveCaller' | 'delivery' | 'limits' | 'log' | 'now'
  > {
  /** For a statement that needs no transaction with others. */
  readonly alone: Transaction;
  readonly passwords: PasswordHasher;
  readonly codes: OneTimeCodes;
  readonly refreshTokens: RefreshTokens;
  /** For the secrets of TOTP factors. */
  readonly secretBox: SecretBox;
  readonly oidc: OidcProviders;
  /** Wrong passwords are counted by what this key makes of them: the counts tell nobody what was typed. */
  readonly guessSecret: KeyObject;
  /** Makes the salt of an address that is not proved. */
  readonly saltSecret: KeyObject;
  /** When an answer that must not tell by its time goes out, in milliseconds after the question. */
  readonly uniformAnswerMs: number;
}

export interface AuthServiceOptions {
  readonly passwords?: PasswordHasher;
  readonly uniformAnswerMs?: number;
}

export function createAuthService(
  { config, secrets, database, tokens, resolveCaller, delivery, limits, log, now }: Dependencies,
  { passwords = createPasswordHasher(), uniformAnswerMs = 400 }: AuthServiceOptions = {},
): AuthService {
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
    alone: { query: (statement) => database.asService(statement) },
    passwords,
    codes: createOneTimeCodes({ secret, developmentCode: config.developmentCode }),
    refreshTokens: createRefreshTokens(secret),
    secretBox: createSecretBox(config.secrets.secondFactorSecret ?? secret),
    oidc: createOidcProviders({ config, secret, now }),
    guessSecret: deriveKey(secret, 'wrong passwords'),
    saltSecret: deriveKey(secret, 'salts of addresses'),
    uniformAnswerMs,
  };
}

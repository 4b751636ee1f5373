import { resolve } from 'node:path';
import * as v from 'valibot';
import { PASSWORD_LENGTH } from '#domain/account/validate-credentials.ts';
import { isInBucket } from './backup/places/bucket-address.ts';
import { isPushKey } from './delivery/push/push-key.ts';
import { LEAST_CALLER_MEMORY, MOST_CALLER_MEMORY } from './limits/memory/caller-memory.ts';
import { OperatorError } from './operator-error.ts';
import { DEFAULT_CONNECTIONS, LEAST_CONNECTIONS, MOST_CONNECTIONS } from './postgres/divide-connections.ts';
import { PROJECT_ROOT } from './project-root.ts';
import { backupProblems, backupSettings, backupVariables } from './settings/backups.ts';
import { brandSettings, brandVariables } from './settings/brand.ts';
import { settingsFromFiles } from './settings/from-files.ts';
import { signingKeys, verifyingKeys } from './settings/key-sets.ts';
import { limits } from './settings/limits.ts';
import { objectStoreAccount, objectStoreProblems, objectStoreVariables, s3Settings } from './settings/object-store.ts';
import { oidcProviders } from './settings/oidc-providers.ts';
import { outboundAllowed } from './settings/outbound.ts';
import { productionProblems } from './settings/production.ts';
import { restSettings, restVariables } from './settings/rest.ts';
import { smsCountries, smsLimits, smsProblems, smsSettings, smsVariables } from './settings/sms.ts';
import { withStoredSettings } from './settings/stored-settings.ts';
import {
  addresses,
  domains,
  flag,
  isMailServer,
  listedLanguage,
  mailAddress,
  mailSender,
  NO_MAIL_SERVER,
  postgresAddress,
  processCount,
  testNumbers,
  text,
  webOrigin,
  webOrigins,
  wholeNumber,
  wholeNumberIfSet,
} from './settings/values.ts';

/**
 * Every environment variable of the service, parsed once at start and passed on as a value.
 * `docs/operate/configuration.md` has the same table in words; a test compares the two.
 */
export const environmentSchema = v.object({
  NODE_ENV: v.optional(
    v.picklist(['development', 'production', 'test'], 'must be development, production or test'),
    'development',
  ),
  PRODUCT_NAME: v.optional(v.pipe(text, v.maxLength(40, 'must have at most 40 characters')), 'Reunite'),
  ...brandVariables,
  DEFAULT_LANGUAGE: v.optional(listedLanguage, 'en'),
  PUBLIC_URL: v.optional(webOrigin),
  STICKER_URL: v.optional(webOrigin),
  FORMER_URLS: webOrigins,
  HOST: v.optional(text),
  PORT: wholeNumber(3000, 0, 65_535),
  TRUSTED_PROXIES: wholeNumber(0, 0, 10),
  METRICS_PORT: v.optional(wholeNumber(0, 0, 65_535)),
  METRICS_HOST: v.optional(text, '127.0.0.1'),
  LOG_LEVEL: v.optional(
    v.picklist(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'),
    'info',
  ),
  WEB_PROCESSES: processCount,
  DATABASE_URL: v.optional(postgresAddress),
  DATABASE_DIRECT_URL: v.optional(postgresAddress),
  DATABASE_CONNECTIONS: wholeNumber(DEFAULT_CONNECTIONS, LEAST_CONNECTIONS, MOST_CONNECTIONS),
  EMBEDDED_POSTGRES: flag(true),
  EMBEDDED_SHARED_BUFFERS: wholeNumberIfSet(16, 1_048_576),
  DATA_DIRECTORY: v.optional(text, '.data'),
  JWT_KEYS: v.optional(signingKeys),
  JWT_ADDITIONAL_KEYS: v.optional(verifyingKeys),
  SESSIONLESS_TOKENS: flag(false),
  REFRESH_TOKEN_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  SECOND_FACTOR_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  PUBLISHABLE_KEY: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^sb_publishable_[A-Za-z0-9_-]{16,}$/, 'must be sb_publishable_ and at least 16 URL-safe characters'),
    ),
  ),
  SECRET_KEY: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^sb_secret_[A-Za-z0-9_-]{32,}$/, 'must be sb_secret_ and at least 32 URL-safe characters'),
    ),
  ),
  AUDIT_LOG_DAYS: wholeNumber(365, 1, 3_650),
  ACCESS_TOKEN_LIFE_SECONDS: wholeNumber(3600, 60, 86_400),
  VAPID_PRIVATE_KEY: v.optional(
    v.pipe(
      v.string(),
      v.check(isPushKey, 'must be a private key of the curve P-256: 43 URL-safe characters of base64'),
    ),
  ),
  OUTBOUND_ALLOWED: outboundAllowed,
  ANONYMOUS_SIGN_INS: flag(false),
  KEYLESS_REQUESTS: flag(true),
  CODE_LIFE_SECONDS: wholeNumber(600, 60, 3_600),
  LINK_LIFE_SECONDS: wholeNumber(3_600, 300, 86_400),
  LIMITS: limits,
  REDIRECT_ALLOWLIST: addresses,
  SIGN_UPS: flag(true),
  EMAIL_AUTOCONFIRM: flag(false),
  PHONE_AUTOCONFIRM: flag(false),
  DOUBLE_CONFIRM_EMAIL_CHANGE: flag(true),
  COMMON_PASSWORDS: flag(false),
  PASSWORD_MINIMUM: wholeNumber(PASSWORD_LENGTH, PASSWORD_LENGTH, 64),
  PHONE_FACTORS: flag(true),
  DEV_TEST_OTP: v.optional(v.pipe(v.string(), v.regex(/^\d{6}$/, 'must be 6 digits'))),
  TEST_PHONE_NUMBERS: testNumbers,
  HIDE_ACCOUNT_EXISTENCE: flag(false),
  OFFLINE_PAGE: flag(true),
  CALLER_MEMORY_BYTES: wholeNumberIfSet(LEAST_CALLER_MEMORY, MOST_CALLER_MEMORY),
  REALTIME_PUBLIC_CHANNELS: flag(false),
  EMAIL_DOMAIN_DENYLIST: domains,
  OIDC_PROVIDERS: oidcProviders,
  ...restVariables,
  STORAGE_FILE_SIZE_LIMIT: wholeNumber(52_428_800, 1, 999_999_999),
  STORAGE_ACCOUNT_QUOTA: wholeNumber(104_857_600, 1, 999_999_999),
  STORAGE_KEEP_REMOVED_HOURS: wholeNumber(24, 0, 8_760),
  ITEMS_PER_ACCOUNT: wholeNumber(1_000, 1, 1_000_000),
  CLAIMABLE_CODES: v.optional(v.picklist(['any', 'issued'], 'must be any or issued'), 'any'),
  ...objectStoreVariables,
  ...backupVariables,
  SMTP_URL: v.optional(
    v.pipe(v.string(), v.check(isMailServer, 'must be smtp:// or smtps:// and the name of a host, or none')),
  ),
  MAIL_FROM: v.optional(mailSender),
  OPERATOR_EMAIL: v.optional(mailAddress),
  ...smsVariables,
});

type Environment = v.InferOutput<typeof environmentSchema>;

/** The settings, as the rest of the server uses them. `docs/operate/configuration.md` says what each means. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** An invalid configuration. The message is for the operator and names each variable. */
export class ConfigError extends OperatorError {
  /** The settings that are malformed. Unlike the message, no name has a value in it. */
  readonly names: readonly string[];

  constructor(message: string, names: readonly string[] = []) {
    super(message);
    this.names = names;
  }
}

/**
 * Returns the environment with every setting that is in a file (`{NAME}_FILE`), and with those that the set-up page has
 * stored, for `readConfig`. Throws an OperatorError where a file cannot be used.
 */
export function readEnvironment(environment: NodeJS.ProcessEnv): NodeJS.Dict<string> {
  return withStoredSettings(settingsFromFiles(environment, Object.keys(environmentSchema.entries)));
}

/** Parses the environment. Throws a ConfigError with one sentence per invalid or missing variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  // Many tools set an empty variable to mean "not set"; a blank one means the same.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => (value ?? '').trim() !== ''));
  const parsed = v.safeParse(environmentSchema, given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'The environment'} ${issue.message}.`).join('\n'),
      parsed.issues.flatMap((issue) => v.getDotPath(issue) ?? []),
    );
  }
  const env = parsed.output;
  const production = env.NODE_ENV === 'production';
  const problems = [
    ...objectStoreProblems(env, { keepsBackups: isInBucket(env.BACKUP_TO ?? '') }),
    ...backupProblems(env),
    ...smsProblems(env),
    ...databaseProblems(env),
    ...(production ? productionProblems(env) : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  return {
    production,
    productName: env.PRODUCT_NAME,
    brand: brandSettings(env),
    defaultLanguage: env.DEFAULT_LANGUAGE,
    /** The product's name in storage keys. */
    storagePrefix: env.PRODUCT_NAME.toLowerCase().replace(/[^a-z0-9]/g, '') || 'reunite',
    publicUrl,
    /** The origin of the links on stickers; it redirects to `publicUrl` where it is another. */
    stickerUrl: env.STICKER_URL ?? publicUrl,
    formerUrls: env.FORMER_URLS,
    // A development server shows its outbox without authentication, so it listens only on this machine.
    host: env.HOST ?? (production ? '0.0.0.0' : 'localhost'),
    port: env.PORT,
    trustedProxies: env.TRUSTED_PROXIES,
    /** Where Prometheus reads metrics, or null where it does not. */
    metrics: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    logLevel: env.LOG_LEVEL,
    dataDirectory: resolve(PROJECT_ROOT, env.DATA_DIRECTORY),
    /** `pooler` is the address of a pooler before the database, through which calls go; null without one. */
    database:
      env.DATABASE_URL === undefined
        ? ({ kind: 'embedded', sharedBuffers: env.EMBEDDED_SHARED_BUFFERS } as const)
        : env.DATABASE_DIRECT_URL === undefined
          ? ({ kind: 'url', url: env.DATABASE_URL, pooler: null } as const)
          : ({ kind: 'url', url: env.DATABASE_DIRECT_URL, pooler: env.DATABASE_URL } as const),
    webProcesses: env.WEB_PROCESSES,
    databaseConnections: env.DATABASE_CONNECTIONS,
    itemsPerAccount: env.ITEMS_PER_ACCOUNT,
    claimableCodes: env.CLAIMABLE_CODES,
    auditLogDays: env.AUDIT_LOG_DAYS,
    outboundAllowed: env.OUTBOUND_ALLOWED,
    accessTokenLifeSeconds: env.ACCESS_TOKEN_LIFE_SECONDS,
    anonymousSignIns: env.ANONYMOUS_SIGN_INS,
    keylessRequests: env.KEYLESS_REQUESTS,
    codeLifeSeconds: env.CODE_LIFE_SECONDS,
    linkLifeSeconds: env.LINK_LIFE_SECONDS,
    /** Figures that replace those of the table of limits. */
    limits: new Map([...smsLimits(env), ...env.LIMITS]),
    redirectAllowlist: env.REDIRECT_ALLOWLIST,
    signUps: env.SIGN_UPS,
    emailAutoconfirm: env.EMAIL_AUTOCONFIRM,
    phoneAutoconfirm: env.PHONE_AUTOCONFIRM,
    doubleConfirmEmailChange: env.DOUBLE_CONFIRM_EMAIL_CHANGE,
    commonPasswords: env.COMMON_PASSWORDS,
    passwordLength: env.PASSWORD_MINIMUM,
    /** Whether a phone may be enrolled as a second factor. Existing ones keep working. */
    phoneFactors: env.PHONE_FACTORS,
    /** Accepted in addition to the real code; always null in production. */
    developmentCode: production ? null : (env.DEV_TEST_OTP ?? '123456'),
    testPhoneNumbers: production ? new Map() : env.TEST_PHONE_NUMBERS,
    hideAccountExistence: env.HIDE_ACCOUNT_EXISTENCE,
    offlinePage: env.OFFLINE_PAGE,
    callerMemoryBytes: env.CALLER_MEMORY_BYTES,
    realtimePublicChannels: env.REALTIME_PUBLIC_CHANNELS,
    emailDomainDenylist: env.EMAIL_DOMAIN_DENYLIST,
    oidcProviders: env.OIDC_PROVIDERS,
    rest: restSettings(env),
    /** Null where one-time codes are sent by email. */
    sms: smsSettings(env),
    smsCountries: smsCountries(env, production),
    /** Where reports of pages are sent; null where the operator only lists them. */
    operatorEmail: env.OPERATOR_EMAIL ?? null,
    /** Whether emails are sent: without a mail server, nothing that needs one is offered. */
    hasMail: env.SMTP_URL !== NO_MAIL_SERVER,
    smtp:
      env.SMTP_URL === undefined || env.SMTP_URL === NO_MAIL_SERVER
        ? null
        : { url: env.SMTP_URL, from: env.MAIL_FROM ?? '' },
    storage: {
      fileSizeLimit: env.STORAGE_FILE_SIZE_LIMIT,
      accountQuota: env.STORAGE_ACCOUNT_QUOTA,
      keepRemovedHours: env.STORAGE_KEEP_REMOVED_HOURS,
      /** The object store; null uses the data folder. */
      s3: s3Settings(env),
    },
    /** What backups in an object store need. */
    objectStore: { account: objectStoreAccount(env), filesBucket: env.S3_BUCKET ?? null },
    backups: backupSettings(env),
    sessionlessTokens: env.SESSIONLESS_TOKENS,
    secrets: {
      jwtKeys: env.JWT_KEYS,
      additionalJwtKeys: env.JWT_ADDITIONAL_KEYS,
      refreshTokenSecret: env.REFRESH_TOKEN_SECRET,
      secondFactorSecret: env.SECOND_FACTOR_SECRET,
      publishableKey: env.PUBLISHABLE_KEY,
      secretKey: env.SECRET_KEY,
      pushKey: env.VAPID_PRIVATE_KEY,
    },
  };
}

/** A pooler is in front of a PostgreSQL of the operator's own. */
function databaseProblems(env: Environment): string[] {
  if (env.DATABASE_URL !== undefined || env.DATABASE_DIRECT_URL === undefined) return [];
  return ['DATABASE_DIRECT_URL needs DATABASE_URL.'];
}

import { resolve } from 'node:path';
import * as v from 'valibot';
import { PASSWORD_LENGTH } from '#domain/validate-credentials.ts';
import type { SmsCountries } from './delivery/may-be-texted.ts';
import type { LimitFigures, LimitName } from './http/limits.ts';
import { OperatorError } from './operator-error.ts';
import { type KeySet, signingKeys, verifyingKeys } from './settings/key-sets.ts';
import { limits } from './settings/limits.ts';
import {
  type ObjectStoreSettings,
  objectStoreProblems,
  objectStoreSettings,
  objectStoreVariables,
} from './settings/object-store.ts';
import { type OidcProviderSettings, oidcProviders } from './settings/oidc-providers.ts';
import { type RestSettings, restSettings, restVariables } from './settings/rest.ts';
import { retiredProblems } from './settings/retired.ts';
import { type SmsSettings, smsCountries, smsProblems, smsSettings, smsVariables } from './settings/sms.ts';
import {
  addresses,
  domains,
  flag,
  isMailServer,
  mailSender,
  postgresAddress,
  testNumbers,
  text,
  webOrigin,
  wholeNumber,
} from './settings/values.ts';

/**
 * Every variable that the service reads, parsed once at start and passed on as a value.
 * `docs/operate/configuration.md` has the same table in words; a test compares the two.
 */
export const environmentSchema = v.object({
  NODE_ENV: v.optional(
    v.picklist(['development', 'production', 'test'], 'must be development or production'),
    'development',
  ),
  PRODUCT_NAME: v.optional(v.pipe(text, v.maxLength(40, 'must have at most 40 characters')), 'Reunite'),
  PUBLIC_URL: v.optional(webOrigin),
  HOST: v.optional(text),
  PORT: wholeNumber(3000, 0, 65_535),
  TRUSTED_PROXIES: wholeNumber(0, 0, 10),
  LOG_LEVEL: v.optional(
    v.picklist(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent'),
    'info',
  ),
  DATABASE_URL: v.optional(postgresAddress),
  EMBEDDED_POSTGRES: flag(false),
  EMBEDDED_SHARED_BUFFERS: v.optional(wholeNumber(128, 16, 1_048_576)),
  DATA_DIRECTORY: v.optional(text, '.data'),
  JWT_KEYS: v.optional(signingKeys),
  JWT_ADDITIONAL_KEYS: v.optional(verifyingKeys),
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
  REFRESH_REUSE_SECONDS: wholeNumber(10, 0, 300),
  ANONYMOUS_SIGN_INS: flag(false),
  KEYLESS_REQUESTS: flag(true),
  CODE_LIFE_SECONDS: wholeNumber(600, 60, 3_600),
  LINK_LIFE_SECONDS: wholeNumber(3_600, 300, 86_400),
  LIMITS: limits,
  UNCONFIRMED_ACCOUNT_DAYS: wholeNumber(30, 1, 3_650),
  ANONYMOUS_ACCOUNT_DAYS: wholeNumber(30, 1, 3_650),
  REDIRECT_ALLOWLIST: addresses,
  SIGN_UPS: flag(true),
  EMAIL_AUTOCONFIRM: flag(false),
  PHONE_AUTOCONFIRM: flag(false),
  DOUBLE_CONFIRM_EMAIL_CHANGE: flag(true),
  REAUTHENTICATE_PASSWORD_CHANGE: flag(true),
  REQUIRE_CURRENT_PASSWORD: flag(false),
  PASSWORD_MINIMUM: wholeNumber(PASSWORD_LENGTH, PASSWORD_LENGTH, 64),
  TOTP_FACTORS: flag(true),
  PHONE_FACTORS: flag(true),
  DEV_TEST_OTP: v.optional(v.pipe(v.string(), v.regex(/^\d{6}$/, 'must be 6 digits'))),
  TEST_PHONE_NUMBERS: testNumbers,
  HIDE_ACCOUNT_EXISTENCE: flag(false),
  OFFLINE_PAGE: flag(true),
  PAGE_CACHE_BYTES: wholeNumber(67_108_864, 0, 4_294_967_296),
  REALTIME_PUBLIC_CHANNELS: flag(false),
  EMAIL_DOMAIN_DENYLIST: domains,
  OIDC_PROVIDERS: oidcProviders,
  ...restVariables,
  STORAGE_FILE_SIZE_LIMIT: wholeNumber(52_428_800, 1, 999_999_999),
  STORAGE_ACCOUNT_QUOTA: wholeNumber(104_857_600, 1, 999_999_999),
  STORAGE_KEEP_REMOVED_HOURS: wholeNumber(24, 0, 8_760),
  ITEMS_PER_ACCOUNT: wholeNumber(1_000, 1, 1_000_000),
  ...objectStoreVariables,
  SMTP_URL: v.optional(v.pipe(v.string(), v.check(isMailServer, 'must be smtp:// or smtps:// and the name of a host'))),
  MAIL_FROM: v.optional(mailSender),
  ...smsVariables,
});

type Environment = v.InferOutput<typeof environmentSchema>;

export interface Config {
  readonly production: boolean;
  readonly productName: string;
  /** The product's name as it stands in storage keys: lower case, `a-z0-9` only. */
  readonly storagePrefix: string;
  /** Without a trailing slash; the only origin that links in mails may have. */
  readonly publicUrl: string;
  readonly host: string;
  readonly port: number;
  /** How many proxies in front are ours: that many entries of X-Forwarded-For, from the right, are believed. */
  readonly trustedProxies: number;
  readonly logLevel: Environment['LOG_LEVEL'];
  /** An absolute path. What the environment says is relative to the project's folder. */
  readonly dataDirectory: string;
  /** A connection string, or the embedded engine. */
  readonly database:
    | { readonly kind: 'url'; readonly url: string }
    /** MiB of PostgreSQL's shared buffers; undefined derives them from the machine's memory. */
    | { readonly kind: 'embedded'; readonly sharedBuffers: number | undefined };
  /** How many items one account may have. */
  readonly itemsPerAccount: number;
  /** How long a line of the audit log is kept. */
  readonly auditLogDays: number;
  readonly accessTokenLifeSeconds: number;
  /** For how long a client whose answer was lost may use the refresh token before the living one again. */
  readonly refreshReuseSeconds: number;
  readonly anonymousSignIns: boolean;
  /** A request without any key is a visitor's; otherwise it is refused. */
  readonly keylessRequests: boolean;
  readonly codeLifeSeconds: number;
  readonly linkLifeSeconds: number;
  /** What stands in place of the figures of the table of limits. */
  readonly limits: ReadonlyMap<LimitName, LimitFigures>;
  /** An account that nobody has confirmed by then is forgotten. */
  readonly unconfirmedAccountDays: number;
  /** An account without an address that nobody has used for so long, and that has nothing, is forgotten. */
  readonly anonymousAccountDays: number;
  /** Where a link may lead besides our own origin, letter for letter. */
  readonly redirectAllowlist: readonly string[];
  /** Whether new accounts may be made by whoever comes. */
  readonly signUps: boolean;
  /** A new account is confirmed, and signed in, without a proof. For a closed network alone. */
  readonly emailAutoconfirm: boolean;
  /** A new phone number is taken as proved. For a closed network alone. */
  readonly phoneAutoconfirm: boolean;
  /** A changed e-mail address needs the agreement of the old one too, where that was proved. */
  readonly doubleConfirmEmailChange: boolean;
  /** A password is changed in a session of the last 24 hours, or with the one that is there, or with a code. */
  readonly reauthenticatePasswordChange: boolean;
  readonly requireCurrentPassword: boolean;
  /** The least characters of a new password. */
  readonly passwordLength: number;
  /** Which second factors may be set up. Those that are there go on. */
  readonly newFactors: { readonly totp: boolean; readonly phone: boolean };
  /** A code that is accepted beside the real one; null in production, always. */
  readonly developmentCode: string | null;
  /** Numbers (E.164 with the plus) whose code is known and that nothing is sent to; none in production, always. */
  readonly testPhoneNumbers: ReadonlyMap<string, string>;
  readonly hideAccountExistence: boolean;
  /** Browsers keep a page of ours for when another cannot be fetched. */
  readonly offlinePage: boolean;
  /** What the items that finders look at, and their finished pages, may take of the memory. */
  readonly pageCacheBytes: number;
  /** Whether clients may talk to each other on channels that no policy guards. */
  readonly realtimePublicChannels: boolean;
  readonly emailDomainDenylist: readonly string[];
  readonly oidcProviders: readonly OidcProviderSettings[];
  /** The data service. */
  readonly rest: RestSettings;
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly storage: {
    /** Bytes of the largest object, where its bucket does not say less. */
    readonly fileSizeLimit: number;
    /** Bytes of all objects of one account. */
    readonly accountQuota: number;
    /** For how long the file of an object that is gone is kept, for backups that are under way. */
    readonly keepRemovedHours: number;
    /** Where the contents of objects are kept; null keeps them in the data folder. */
    readonly s3: ObjectStoreSettings | null;
  };
  /** Null where one-time codes go by e-mail. */
  readonly sms: SmsSettings | null;
  /** Whose numbers are sent SMS. */
  readonly smsCountries: SmsCountries;
  /** Secrets given by the environment; the rest is made on first start, in development only. */
  readonly secrets: {
    readonly jwtKeys: KeySet | undefined;
    /** Verify, and never sign. */
    readonly additionalJwtKeys: KeySet | undefined;
    readonly refreshTokenSecret: string | undefined;
    /** Where it is not given, the one of refresh tokens serves. */
    readonly secondFactorSecret: string | undefined;
    readonly publishableKey: string | undefined;
    readonly secretKey: string | undefined;
  };
}

/** A configuration that the service cannot start with; its message is for the operator and names each variable. */
export class ConfigError extends OperatorError {}

/** Parses the environment. Throws a ConfigError with one sentence for each variable that is wrong or missing. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is how many tools say "not set"; one of blanks alone means no more.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => (value ?? '').trim() !== ''));
  const parsed = v.safeParse(environmentSchema, given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'The environment'} ${issue.message}.`).join('\n'),
    );
  }
  const env = parsed.output;
  const production = env.NODE_ENV === 'production';
  const problems = [
    ...retiredProblems(given),
    ...objectStoreProblems(env),
    ...smsProblems(env),
    ...(production ? productionProblems(env) : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  return {
    production,
    productName: env.PRODUCT_NAME,
    storagePrefix: env.PRODUCT_NAME.toLowerCase().replace(/[^a-z0-9]/g, '') || 'reunite',
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    // A development server shows its outbox to whoever can reach it, so only this machine can.
    host: env.HOST ?? (production ? '0.0.0.0' : 'localhost'),
    port: env.PORT,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    dataDirectory: resolve(import.meta.dirname, '..', env.DATA_DIRECTORY),
    database:
      env.DATABASE_URL === undefined
        ? { kind: 'embedded', sharedBuffers: env.EMBEDDED_SHARED_BUFFERS }
        : { kind: 'url', url: env.DATABASE_URL },
    itemsPerAccount: env.ITEMS_PER_ACCOUNT,
    auditLogDays: env.AUDIT_LOG_DAYS,
    accessTokenLifeSeconds: env.ACCESS_TOKEN_LIFE_SECONDS,
    refreshReuseSeconds: env.REFRESH_REUSE_SECONDS,
    anonymousSignIns: env.ANONYMOUS_SIGN_INS,
    keylessRequests: env.KEYLESS_REQUESTS,
    codeLifeSeconds: env.CODE_LIFE_SECONDS,
    linkLifeSeconds: env.LINK_LIFE_SECONDS,
    limits: env.LIMITS,
    unconfirmedAccountDays: env.UNCONFIRMED_ACCOUNT_DAYS,
    anonymousAccountDays: env.ANONYMOUS_ACCOUNT_DAYS,
    redirectAllowlist: env.REDIRECT_ALLOWLIST,
    signUps: env.SIGN_UPS,
    emailAutoconfirm: env.EMAIL_AUTOCONFIRM,
    phoneAutoconfirm: env.PHONE_AUTOCONFIRM,
    doubleConfirmEmailChange: env.DOUBLE_CONFIRM_EMAIL_CHANGE,
    reauthenticatePasswordChange: env.REAUTHENTICATE_PASSWORD_CHANGE,
    requireCurrentPassword: env.REQUIRE_CURRENT_PASSWORD,
    passwordLength: env.PASSWORD_MINIMUM,
    newFactors: { totp: env.TOTP_FACTORS, phone: env.PHONE_FACTORS },
    developmentCode: production ? null : (env.DEV_TEST_OTP ?? '123456'),
    testPhoneNumbers: production ? new Map() : env.TEST_PHONE_NUMBERS,
    hideAccountExistence: env.HIDE_ACCOUNT_EXISTENCE,
    offlinePage: env.OFFLINE_PAGE,
    pageCacheBytes: env.PAGE_CACHE_BYTES,
    realtimePublicChannels: env.REALTIME_PUBLIC_CHANNELS,
    emailDomainDenylist: env.EMAIL_DOMAIN_DENYLIST,
    oidcProviders: env.OIDC_PROVIDERS,
    rest: restSettings(env),
    sms: smsSettings(env),
    smsCountries: smsCountries(env, production),
    smtp: env.SMTP_URL === undefined ? null : { url: env.SMTP_URL, from: env.MAIL_FROM ?? '' },
    storage: {
      fileSizeLimit: env.STORAGE_FILE_SIZE_LIMIT,
      accountQuota: env.STORAGE_ACCOUNT_QUOTA,
      keepRemovedHours: env.STORAGE_KEEP_REMOVED_HOURS,
      s3: objectStoreSettings(env),
    },
    secrets: {
      jwtKeys: env.JWT_KEYS,
      additionalJwtKeys: env.JWT_ADDITIONAL_KEYS,
      refreshTokenSecret: env.REFRESH_TOKEN_SECRET,
      secondFactorSecret: env.SECOND_FACTOR_SECRET,
      publishableKey: env.PUBLISHABLE_KEY,
      secretKey: env.SECRET_KEY,
    },
  };
}

function productionProblems(env: Environment): string[] {
  const problems: string[] = [];
  if (env.DEV_TEST_OTP !== undefined) {
    problems.push(
      'DEV_TEST_OTP is a development aid that would let anybody in; a production server refuses to start with it.',
    );
  }
  if (env.TEST_PHONE_NUMBERS.size > 0) {
    problems.push(
      'TEST_PHONE_NUMBERS is a development aid that would let anybody in; a production server refuses to start with it.',
    );
  }
  if (env.DATABASE_URL === undefined && !env.EMBEDDED_POSTGRES) {
    problems.push(
      'DATABASE_URL is missing: give a PostgreSQL 15 or newer, or ask for the embedded one with EMBEDDED_POSTGRES=true.',
    );
  }
  const required = [
    'PUBLIC_URL',
    'JWT_KEYS',
    'REFRESH_TOKEN_SECRET',
    'PUBLISHABLE_KEY',
    'SECRET_KEY',
    'SMTP_URL',
    'MAIL_FROM',
  ] as const;
  for (const name of required) {
    if (env[name] === undefined) problems.push(`${name} is missing: a production server needs it.`);
  }
  return problems;
}

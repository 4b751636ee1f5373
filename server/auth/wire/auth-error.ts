import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** One row for each refusal of the auth service: HTTP status, error code, and public message. */
const REFUSALS = {
  anonymousSignInsOff: [422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
  appMetadataNotYours: [403, 'not_admin', 'Updating app_metadata requires admin privileges'],
  banDurationMalformed: [400, 'validation_failed', 'invalid format for ban duration: %'],
  bodyNotJson: [400, 'bad_json', 'Could not parse request body as JSON: %'],
  bodyTooLarge: [413, 'request_entity_too_large', 'The request body is larger than 64 KiB'],
  changeNeedsNoLink: [400, 'validation_failed', 'This change of address waits for no link of this type'],
  channelNeedsPhone: [400, 'validation_failed', 'Channel should only be specified with Phone OTP'],
  channelUnknown: [
    400,
    'validation_failed',
    "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  ],
  challengeExpired: [
    422,
    'mfa_challenge_expired',
    'MFA challenge % has expired, verify against another challenge or create a new challenge.',
  ],
  challengeIdMalformed: [400, 'validation_failed', 'challenge_id must be a valid UUID'],
  challengeIdMissing: [400, 'validation_failed', 'challenge_id is required'],
  challengeNotFound: [422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found'],
  codeGap: [429, 'over_email_send_rate_limit', 'For security purposes, you can only request this after % seconds.'],
  codeGapSms: [429, 'over_sms_send_rate_limit', 'For security purposes, you can only request this after % seconds.'],
  codeNotMailed: [503, 'unexpected_failure', 'Error sending confirmation email. Please try again.'],
  codeNotTexted: [422, 'sms_send_failed', 'Error sending confirmation OTP to provider: the message was not accepted'],
  codeOrHashMissing: [400, 'validation_failed', 'Verify requires either a token or a token hash'],
  codeRefused: [403, 'otp_expired', 'Token has expired or is invalid'],
  challengeIncomplete: [400, 'validation_failed', 'PKCE flow requires code_challenge_method and code_challenge'],
  challengeMalformed: [
    400,
    'validation_failed',
    'code_challenge must be the 43 characters of a SHA-256 in base64url, and code_challenge_method s256',
  ],
  credentialMissing: [400, 'validation_failed', 'credential is required'],
  currentPasswordWrong: [400, 'current_password_invalid', 'Current password is not valid.'],
  emailExists: [422, 'email_exists', 'A user with this email address has already been registered'],
  emailMalformed: [400, 'validation_failed', 'Unable to validate email address: invalid format'],
  emailNotAccepted: [400, 'email_address_invalid', 'Email address % is invalid'],
  emailNotConfirmed: [400, 'email_not_confirmed', 'Email not confirmed'],
  emailOfProviderMissing: [422, 'email_address_not_provided', '% gave no email address'],
  emailOfProviderUnverified: [
    403,
    'provider_email_needs_verification',
    '% has not verified this email address. Verify it there, then try again.',
  ],
  emailOrPhoneMissingOnCreate: [400, 'validation_failed', 'Cannot create a user without either an email or phone'],
  emailOrPhoneOnlyOnLogin: [
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on login.',
  ],
  emailOrPhoneOnlyOnOtp: [400, 'validation_failed', 'Only an email address or phone number should be provided'],
  emailOrPhoneOnlyOnSignUp: [
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on signup.',
  ],
  emailOrPhoneOnlyOnVerify: [
    400,
    'validation_failed',
    'Only an email address or phone number should be provided on verify',
  ],
  emailOrPhoneMissingOnLogin: [400, 'validation_failed', 'missing email or phone'],
  emailOrPhoneMissingOnOtp: [400, 'validation_failed', 'One of email or phone must be set'],
  emailOrPhoneMissingOnResend: [400, 'validation_failed', 'Missing email address or phone number'],
  exchangeIncomplete: [
    400,
    'validation_failed',
    'invalid request: both auth code and code verifier should be non-empty',
  ],
  factorCodeMissing: [400, 'validation_failed', 'Code needs to be non-empty'],
  factorForAnonymous: [403, 'no_authorization', 'Anonymous user not allowed to perform these actions'],
  factorIdMalformed: [404, 'validation_failed', 'factor_id must be an UUID'],
  factorNameTaken: [422, 'mfa_factor_name_conflict', 'A factor with the friendly name % for this user already exists'],
  factorNeedsFactor: [403, 'insufficient_aal', 'AAL2 required to enroll a new factor'],
  factorNotFound: [404, 'mfa_factor_not_found', 'Factor not found'],
  factorTypeUnknown: [400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn'],
  fieldMalformed: [400, 'validation_failed', '%'],
  flowExpired: [422, 'flow_state_expired', 'invalid flow state, flow state has expired'],
  flowUnknown: [404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'],
  grantUnknown: [400, 'invalid_credentials', 'unsupported_grant_type'],
  hashOnly: [400, 'validation_failed', 'Only the token_hash and type should be provided'],
  hashRefused: [403, 'otp_expired', 'Email link is invalid or has expired'],
  hashingBusy: [503, 'request_timeout', 'The service is busy. Please try again in a moment.'],
  idTokensOff: [400, 'provider_disabled', 'Provider is not enabled'],
  identityExists: [422, 'identity_already_exists', 'Identity is already linked to an account'],
  identityLast: [422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking'],
  identityNotFound: [404, 'identity_not_found', "Identity doesn't exist"],
  identityOwn: [
    422,
    'email_conflict_identity_not_deletable',
    'The email address or phone number of the account itself cannot be unlinked',
  ],
  invalidCredentials: [400, 'invalid_credentials', 'Invalid login credentials'],
  linkNeedsSession: [
    403,
    'reauthentication_needed',
    'Sign in to the account in this browser, then open the link again. Or type the code of the message there.',
  ],
  linkTypeUnknown: [
    400,
    'validation_failed',
    'Invalid type, supported values are signup, invite, magiclink, recovery, email_change_current and email_change_new',
  ],
  mailOff: [400, 'email_provider_disabled', 'This server sends no email'],
  metadataTooLarge: [400, 'validation_failed', 'User metadata is too large'],
  methodNotAllowed: [405, 'validation_failed', 'This endpoint does not support this method'],
  noBearer: [401, 'no_authorization', 'This endpoint requires a valid Bearer token'],
  notFound: [404, 'unknown', 'There is no such endpoint'],
  // Not 501, which auth-js takes for a failure of the network: it would drop the code.
  notOffered: [404, 'feature_disabled', 'This server does not offer %'],
  notOperator: [403, 'not_admin', 'User not allowed'],
  pageMalformed: [400, 'validation_failed', 'Bad Pagination Parameters: a whole number % is expected'],
  passkeyChallengeExpired: [400, 'webauthn_challenge_expired', 'Challenge has expired'],
  passkeyChallengeSpent: [400, 'webauthn_challenge_not_found', 'Challenge not found or already used'],
  passkeyExists: [422, 'webauthn_credential_exists', 'This credential is already registered'],
  passkeyMalformed: [400, 'webauthn_verification_failed', 'Invalid credential response'],
  passkeyNameMissing: [400, 'validation_failed', 'friendly_name is required'],
  passkeyNameTooLong: [400, 'validation_failed', 'friendly_name must be 120 characters or less'],
  passkeyNeedsFactor: [403, 'insufficient_aal', 'AAL2 session is required to manage passkeys when MFA is enabled'],
  passkeyNotFound: [404, 'validation_failed', 'Passkey not found'],
  passkeyRefused: [400, 'webauthn_verification_failed', 'Credential verification failed'],
  passwordHashRefused: [
    400,
    'validation_failed',
    'password_hash must be an Argon2id hash in PHC form, or a bcrypt hash of a cost between 4 and 12',
  ],
  passwordCommon: [
    422,
    'weak_password',
    'Password is known to be weak and easy to guess, please choose a different one.',
  ],
  passwordMissing: [400, 'validation_failed', 'Signup requires a valid password'],
  passwordOrHash: [400, 'validation_failed', 'Only a password or a password hash should be provided'],
  passwordSame: [422, 'same_password', 'New password should be different from the old password.'],
  passwordTooLong: [400, 'validation_failed', 'Password cannot be longer than 72 characters'],
  passwordTooShort: [422, 'weak_password', 'Password should be at least % characters.'],
  passwordTooShortAndCommon: [
    422,
    'weak_password',
    'Password should be at least % characters. Password is known to be weak and easy to guess, please choose a different one.',
  ],
  phoneExists: [422, 'phone_exists', 'A user with this phone number has already been registered'],
  phoneExistsForOperator: [422, 'phone_exists', 'Phone number already registered by another user'],
  phoneCodeWrong: [422, 'mfa_verification_failed', 'Invalid MFA Phone code entered'],
  phoneFactorExists: [
    422,
    'mfa_verified_factor_exists',
    'A verified phone factor already exists, unenroll the existing factor to continue',
  ],
  phoneFactorsOff: [422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone'],
  phoneMalformed: [400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
  phoneNotTexted: [422, 'phone_not_supported', 'This server sends no SMS to this phone number'],
  phoneOtpsOff: [400, 'phone_provider_disabled', 'Unsupported phone provider'],
  phoneSignUpsOff: [400, 'phone_provider_disabled', 'Phone signups are disabled'],
  phoneWithChallenge: [400, 'validation_failed', 'PKCE not supported for phone signups'],
  proofNeeded: [400, 'reauthentication_needed', 'This change requires reauthentication'],
  providerAway: [503, 'request_timeout', '% does not respond right now. Please try again in a moment.'],
  providerDeclined: [403, 'bad_oauth_callback', '% did not sign you in'],
  providerNotBelieved: [400, 'bad_oauth_callback', 'The answer of % could not be trusted'],
  providerUnknown: [400, 'validation_failed', 'Unsupported provider: Provider % could not be found'],
  reauthenticationNeeded: [400, 'reauthentication_needed', 'Password update requires reauthentication'],
  reauthenticationRefused: [422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'],
  reauthenticationUnreachable: [
    422,
    'validation_failed',
    'Reauthentication requires the user to have an email or a phone number',
  ],
  recoveryNeedsEmail: [400, 'validation_failed', 'Password recovery requires an email'],
  refreshTokenMalformed: [400, 'validation_failed', 'Refresh token is not valid'],
  refreshTokenNotFound: [400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
  refreshTokenUsed: [400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used'],
  removalNeedsFactor: [422, 'insufficient_aal', 'AAL2 required to unenroll verified factor'],
  resendNeedsEmail: [400, 'validation_failed', 'Type provided requires an email address'],
  resendNeedsPhone: [400, 'validation_failed', 'Type provided requires a phone number'],
  resendTypeUnknown: [400, 'validation_failed', 'Missing one of these types: signup, email_change, sms, phone_change'],
  roleNotOffered: [400, 'validation_failed', 'The role of an account is authenticated; % is not offered'],
  samlOff: [404, 'saml_provider_disabled', 'SAML 2.0 is disabled'],
  scopesMalformed: [400, 'validation_failed', 'scopes must be names of scopes, with blanks or commas between them'],
  scopeUnknown: [400, 'validation_failed', 'Unsupported logout scope %'],
  secondFactorNeeded: [
    401,
    'insufficient_aal',
    'AAL2 session is required to update email or password when MFA is enabled.',
  ],
  smsHeldBack: [
    429,
    'sms_held_back',
    'SMS to numbers like this one are held back at the moment. Use another number, or an email address or an authenticator app',
  ],
  securityKeyMissing: [400, 'validation_failed', 'WebAuthn config required'],
  securityKeyWrong: [422, 'mfa_verification_failed', 'Invalid WebAuthn credential shown'],
  sessionExpired: [400, 'session_expired', 'Invalid Refresh Token: Session Expired'],
  sessionGone: [403, 'session_not_found', 'Session from session_id claim in JWT does not exist'],
  sessionInvalid: [400, 'session_not_found', 'Invalid Refresh Token: No Valid Session Found'],
  sortUnknown: [400, 'validation_failed', 'Bad Sort Parameters: users are sorted by created_at, asc or desc'],
  signUpsOff: [422, 'signup_disabled', 'Signups not allowed for this instance'],
  subMalformed: [400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'],
  subMissing: [403, 'bad_jwt', 'invalid claim: missing sub claim'],
  tagCodeMalformed: [400, 'validation_failed', 'qr_id must have 1 to 64 characters: letters, digits, "-" and "_"'],
  tokenRefused: [403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, %'],
  tooManyFactors: [
    422,
    'too_many_enrolled_mfa_factors',
    'Maximum number of verified factors reached, unenroll to continue',
  ],
  tooManyPasskeys: [422, 'too_many_passkeys', 'Maximum number of passkeys reached'],
  tooManyRequests: [429, 'over_request_rate_limit', 'Request rate limit reached'],
  totpCodeWrong: [422, 'mfa_verification_failed', 'Invalid TOTP code entered'],
  unavailable: [503, 'request_timeout', 'The service is not available right now. Please try again in a moment.'],
  unexpected: [500, 'unexpected_failure', 'Something went wrong on our side. Please try again.'],
  userBanned: [403, 'user_banned', 'User is banned'],
  userBannedOnLogin: [400, 'user_banned', 'User is banned'],
  userBannedOnRefresh: [400, 'user_banned', 'Invalid Refresh Token: User Banned'],
  userExists: [422, 'user_already_exists', 'User already registered'],
  userGone: [403, 'user_not_found', 'User from sub claim in JWT does not exist'],
  userIdExists: [422, 'conflict', 'A user with this id exists already'],
  userIdMalformed: [404, 'validation_failed', 'user_id must be an UUID'],
  userNotCreated: [500, 'unexpected_failure', 'Database error creating new user'],
  userNotFound: [404, 'user_not_found', 'User not found'],
  userNotSaved: [500, 'unexpected_failure', 'Database error saving new user'],
  userWithEmailNotFound: [404, 'user_not_found', 'User with this email not found'],
  verifierWrong: [400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'],
  verifyTypeMissing: [400, 'validation_failed', 'Verify requires a verification type'],
  verifyTypeUnknown: [400, 'validation_failed', 'Unsupported verification type'],
  visitStateMissing: [400, 'bad_oauth_callback', 'OAuth state parameter missing'],
  visitUnknown: [400, 'bad_oauth_state', 'OAuth state is unknown, used or expired. Please sign in again.'],
  web3Off: [422, 'web3_provider_disabled', 'Web3 provider is disabled'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string, string]>;

export type Refusal = keyof typeof REFUSALS;

export interface AuthErrorDetails {
  /** Replaces the `%` in the sentence. */
  readonly detail?: string | number;
  readonly retryAfterSeconds?: number;
  /** Why a password is weak, as the client displays it. */
  readonly weakPasswordReasons?: readonly string[];
  /** For the log only. */
  readonly cause?: unknown;
}

/** A refusal to send to the client. */
export class AuthError extends Error {
  override name = 'AuthError';
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  readonly weakPasswordReasons: readonly string[] | undefined;

  constructor(refusal: Refusal, { detail = '', retryAfterSeconds, weakPasswordReasons, cause }: AuthErrorDetails = {}) {
    const [status, code, sentence] = REFUSALS[refusal];
    super(
      sentence.replace('%', () => String(detail)),
      { cause },
    );
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.weakPasswordReasons = weakPasswordReasons;
  }
}

import { countCharacters } from './count-characters.ts';

/** Fewest characters of a password, in code points. */
export const PASSWORD_LENGTH = 6;
export const ONE_TIME_CODE_LENGTH = 6;
/** Tries at one code, right or wrong, before it is worth nothing. */
export const ONE_TIME_CODE_TRIES = 5;

/** Problems that can be seen without asking the server; each is a key of the catalogue's `validation`. */
export type CredentialProblem =
  | 'fullNameRequired'
  | 'phoneRequired'
  | 'emailRequired'
  | 'emailNotAccepted'
  | 'passwordRequired'
  | 'passwordTooShort';

export type Problems<Field extends string> = Partial<Record<Field, CredentialProblem>>;

export interface SignInForm {
  readonly email: string;
  readonly password: string;
}

export interface RegistrationForm extends SignInForm {
  readonly fullName: string;
  readonly phone: string;
}

/** An address as it is stored and compared: lower case, no spaces around it. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function validateSignIn(form: SignInForm): Problems<'email' | 'password'> {
  return { ...emailProblem(form.email), ...passwordProblem(form.password) };
}

export function validateRegistration(form: RegistrationForm): Problems<'fullName' | 'email' | 'phone' | 'password'> {
  return {
    ...validateProfile(form),
    ...(form.phone.trim() === '' && { phone: 'phoneRequired' as const }),
    ...passwordProblem(form.password),
  };
}

export function validateProfile(form: {
  readonly fullName: string;
  readonly email: string;
}): Problems<'fullName' | 'email'> {
  return {
    ...(form.fullName.trim() === '' && { fullName: 'fullNameRequired' as const }),
    ...emailProblem(form.email),
  };
}

export function validateNewPassword(form: { readonly password: string }): Problems<'password'> {
  return passwordProblem(form.password);
}

export function validateReset(form: { readonly email: string }): Problems<'email'> {
  return emailProblem(form.email);
}

/** Exactly 6 digits; spaces that came with a pasted code are the input's business. */
export function isOneTimeCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** Something, one @, and a domain of at least two labels. Which of those an account may have is the server's to say. */
const LIKE_AN_ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

function emailProblem(email: string): Problems<'email'> {
  const typed = email.trim();
  if (typed === '') return { email: 'emailRequired' };
  return LIKE_AN_ADDRESS.test(typed) ? {} : { email: 'emailNotAccepted' };
}

function passwordProblem(password: string): Problems<'password'> {
  if (password === '') return { password: 'passwordRequired' };
  return countCharacters(password) < PASSWORD_LENGTH ? { password: 'passwordTooShort' } : {};
}

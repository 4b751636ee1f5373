import { countCharacters } from '#domain/contact/count-characters.ts';
import { firstName } from '#domain/item/first-name.ts';
import { trimBlanks } from '#domain/white-space.ts';

/** The least length of any password, in code points. The configuration may require more of a new one. */
export const PASSWORD_LENGTH = 6;
export const ONE_TIME_CODE_LENGTH = 6;
/** How many attempts a code allows, correct or wrong. */
export const ONE_TIME_CODE_TRIES = 5;

/** Problems found without the server; each is a key of the catalogue's `validation`. */
export type CredentialProblem =
  | 'fullNameRequired'
  | 'fullNameIsNoName'
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

/** Trims an address as typed and lowers its letters. The server's `normalizeAddress` decides how it is stored. */
export function normalizeEmail(email: string): string {
  return trimBlanks(email).toLowerCase();
}

export function validateSignIn(form: SignInForm): Problems<'email' | 'password'> {
  return { ...emailProblem(form.email), ...passwordProblem(form.password, PASSWORD_LENGTH) };
}

/** `leastLength` is the configuration's least length of a new password. */
export function validateRegistration(
  form: RegistrationForm,
  leastLength: number,
): Problems<'fullName' | 'email' | 'phone' | 'password'> {
  return {
    ...validateProfile(form),
    ...(form.phone.trim() === '' && { phone: 'phoneRequired' as const }),
    ...passwordProblem(form.password, leastLength),
  };
}

export function validateProfile(form: {
  readonly fullName: string;
  readonly email: string;
}): Problems<'fullName' | 'email'> {
  return {
    ...nameProblem(form.fullName),
    ...emailProblem(form.email),
  };
}

function nameProblem(fullName: string): Problems<'fullName'> {
  if (trimBlanks(fullName) === '') return { fullName: 'fullNameRequired' };
  return firstName(fullName) === null ? { fullName: 'fullNameIsNoName' } : {};
}

/** `leastLength` is the configuration's least length of a new password. */
export function validateNewPassword(form: { readonly password: string }, leastLength: number): Problems<'password'> {
  return passwordProblem(form.password, leastLength);
}

export function validateReset(form: { readonly email: string }): Problems<'email'> {
  return emailProblem(form.email);
}

/** Whether the text is exactly 6 digits. The input removes spaces of a pasted code. */
export function isOneTimeCode(text: string): boolean {
  return text.length === ONE_TIME_CODE_LENGTH && /^[0-9]+$/.test(text);
}

/** Some text, one @, and a domain of at least two labels. The server decides which addresses it accepts. */
const LIKE_AN_ADDRESS = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

function emailProblem(email: string): Problems<'email'> {
  const typed = trimBlanks(email);
  if (typed === '') return { email: 'emailRequired' };
  return LIKE_AN_ADDRESS.test(typed) ? {} : { email: 'emailNotAccepted' };
}

function passwordProblem(password: string, leastLength: number): Problems<'password'> {
  if (password === '') return { password: 'passwordRequired' };
  return countCharacters(password) < leastLength ? { password: 'passwordTooShort' } : {};
}

import { signInWords } from '#words/sign-in.ts';
import type { SignInWords } from '../words/compiled/types.ts';
import { screenTexts, type Texts } from './screen-texts.ts';

/** The texts of every screen, and those of whatever asks for credentials or codes. */
export type SignInTexts = Texts & SignInWords;

/** Returns both in a language. The second are loaded with their screens, so the dashboard does without. */
export function signInTexts(language: { readonly tag: string }): SignInTexts {
  return { ...screenTexts(language), ...signInWords(language) };
}

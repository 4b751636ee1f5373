import { inLanguage } from '../in-language.ts';
import { settingsEn } from './settings-en.ts';

/** The texts of the settings that only their screen needs, in a language. They are loaded with the screen. */
export const settings = inLanguage({ en: settingsEn });

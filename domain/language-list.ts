/** A language that people may read us in. */
export interface ListedLanguage {
  /** BCP 47, with a script or region only where the language has several of ours. */
  readonly tag: string;
  /** What the language calls itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** `all`: owners' screens as well, so every file is there; `finder`: what finders, second contacts, and receivers read. */
  readonly tier: 'all' | 'finder';
}

/** The cookie with the tag that a visitor chose. It names no person. */
export const LANGUAGE_COOKIE = 'language';

/** Every language, in the order of the page on which visitors choose: English, then by alphabet and script. */
export const LANGUAGE_LIST: readonly ListedLanguage[] = [
  { tag: 'en', name: 'English', direction: 'ltr', tier: 'all' },
  { tag: 'id', name: 'Bahasa Indonesia', direction: 'ltr', tier: 'finder' },
  { tag: 'cs', name: 'Čeština', direction: 'ltr', tier: 'finder' },
  { tag: 'da', name: 'Dansk', direction: 'ltr', tier: 'finder' },
  { tag: 'de', name: 'Deutsch', direction: 'ltr', tier: 'all' },
  { tag: 'es', name: 'Español', direction: 'ltr', tier: 'all' },
  { tag: 'fr', name: 'Français', direction: 'ltr', tier: 'all' },
  { tag: 'it', name: 'Italiano', direction: 'ltr', tier: 'all' },
  { tag: 'hu', name: 'Magyar', direction: 'ltr', tier: 'finder' },
  { tag: 'nl', name: 'Nederlands', direction: 'ltr', tier: 'all' },
  { tag: 'nb', name: 'Norsk', direction: 'ltr', tier: 'finder' },
  { tag: 'pl', name: 'Polski', direction: 'ltr', tier: 'all' },
  { tag: 'pt-BR', name: 'Português (Brasil)', direction: 'ltr', tier: 'all' },
  { tag: 'pt-PT', name: 'Português (Portugal)', direction: 'ltr', tier: 'finder' },
  { tag: 'ro', name: 'Română', direction: 'ltr', tier: 'finder' },
  { tag: 'fi', name: 'Suomi', direction: 'ltr', tier: 'finder' },
  { tag: 'sv', name: 'Svenska', direction: 'ltr', tier: 'finder' },
  { tag: 'vi', name: 'Tiếng Việt', direction: 'ltr', tier: 'finder' },
  { tag: 'tr', name: 'Türkçe', direction: 'ltr', tier: 'all' },
  { tag: 'el', name: 'Ελληνικά', direction: 'ltr', tier: 'finder' },
  { tag: 'ru', name: 'Русский', direction: 'ltr', tier: 'all' },
  { tag: 'uk', name: 'Українська', direction: 'ltr', tier: 'all' },
  { tag: 'he', name: 'עברית', direction: 'rtl', tier: 'all' },
  { tag: 'ar', name: 'العربية', direction: 'rtl', tier: 'all' },
  { tag: 'fa', name: 'فارسی', direction: 'rtl', tier: 'finder' },
  { tag: 'hi', name: 'हिन्दी', direction: 'ltr', tier: 'all' },
  { tag: 'bn', name: 'বাংলা', direction: 'ltr', tier: 'finder' },
  { tag: 'th', name: 'ไทย', direction: 'ltr', tier: 'finder' },
  { tag: 'ko', name: '한국어', direction: 'ltr', tier: 'finder' },
  { tag: 'ja', name: '日本語', direction: 'ltr', tier: 'all' },
  { tag: 'zh-Hans', name: '简体中文', direction: 'ltr', tier: 'all' },
  { tag: 'zh-Hant', name: '繁體中文', direction: 'ltr', tier: 'finder' },
];

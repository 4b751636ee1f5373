/**
 * The message files that only languages with owners' screens have: all others are what finders, second contacts, and
 * receivers of items read, and every language has them.
 */
export const OWNER_PARTS: readonly string[] = [
  'account-links',
  'app',
  'changes',
  'dashboard',
  'debug-page',
  'email-trouble',
  'faq',
  'first-visit',
  'giving',
  'item-page',
  'item-stickers',
  'items',
  'landing',
  'messages',
  'notifications',
  'operate',
  'owner-letters',
  'photos',
  'privacy',
  'profile',
  'scanner',
  'security',
  'settings',
  'sign-in',
  'spreadsheet',
  'stickers',
  'tagging',
  'terms',
];

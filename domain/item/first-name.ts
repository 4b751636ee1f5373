import { wordsOf } from '#domain/white-space.ts';

/** What leads to a person, after NFKC: an address, a link, or digits and marks alone, as a phone number has them. */
const LEADS_TO_A_PERSON = /[@/\\:]|^www\.|^[\p{Decimal_Number}+()#*.,\u2010-\u2015\u2212-]*$/iu;
const ALL_BUT_DIGITS = /\P{Decimal_Number}/gu;
/** So many digits in one word are a number, whatever is around them. */
const DIGITS_OF_A_NUMBER = 6;

/**
 * Returns the first word of a name, which is all that finders see of an owner, or null where it has none. Addresses, links,
 * and phone numbers are not shown to finders, so they are no part of a name. `internal.first_name` in the database is the
 * same rule; a test compares the two.
 *
 * @example firstName('Maya Cohen'); // 'Maya'
 * @example firstName('maya.cohen@example.org'); // null
 */
export function firstName(fullName: string | null | undefined): string | null {
  return wordsOf(fullName ?? '').find(isName) ?? null;
}

function isName(word: string): boolean {
  const plain = word.normalize('NFKC');
  return !LEADS_TO_A_PERSON.test(plain) && plain.replace(ALL_BUT_DIGITS, '').length < DIGITS_OF_A_NUMBER;
}

/**
 * Returns a first name for a person who may not know the owner, or null. Anyone can register under any name, so one that
 * could be a link, an advertisement, or a sentence is left out.
 */
export function harmlessName(firstName: string | null): string | null {
  return firstName !== null && /^[\p{L}\p{M}'’-]{1,30}$/u.test(firstName) ? firstName : null;
}

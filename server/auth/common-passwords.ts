import { readFileSync } from 'node:fs';

/** About 3,300 in lower case, 27 kB. */
const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

/** Whether a password is one of those that are tried first (NIST SP 800-63B, section 3.1.1.2), in either case. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.normalize('NFKC').toLowerCase());
}

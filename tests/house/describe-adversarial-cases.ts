import { ATTEMPTS } from './adversarial-attempts.ts';
import type { Proof } from './proofs.ts';

const HEAD = `# Adversarial cases

Attacks on the service, and the files of the tests that try them. The tests of a case carry its number at the end of their titles, which say what must happen: \`git grep '\\[K2]'\`. Numbers are permanent, and gaps have no meaning. [The last section](#not-tested) lists what is not tested.

This page is generated from \`tests/house/adversarial-attempts.ts\` and the titles of the tests. A test fails if it is stale.
`;

const NOT_TESTED = `
## Not tested

- **Larger crowds** (A7, A9, D30, F45). Guesses, checks, and codes are tried until they are refused and a little longer.
- **Random operations** (C28): 400 in \`npm test\`; 100,000, or ten minutes, in \`npm run test:everything\`.
- **Children and pets** (D34). Their items start with the contact methods of all others. A hint on the first item offers a change.
- **Backups** (D35) are not expired by Reunite. Dumps of PostgreSQL newer than 15 are not tested.
- **Headers** (G49) are checked one by one. No external scanner is run.
- **Long load** (H51): 1,000 slow connections at once are tested, half an hour or three days of load are not.
- **A disk that fails below PostgreSQL** (I57): PostgreSQL stops and is started again, as in I56.
- **A wrong clock** (I59): tokens live that much longer or shorter.
- **Dependencies** are pinned by the lockfile. No test audits them.
`;

/** The page on adversarial cases: each case with the files whose tests carry its number. */
export function describeAdversarialCases(proofs: readonly Proof[]): string {
  const sections = Object.entries(ATTEMPTS).map(([section, attempts]) => {
    const rows = Object.entries(attempts).map(([id, attempt]) => {
      const files = new Set(proofs.flatMap((proof) => (proof.id === id ? [`\`${proof.file}\``] : [])));
      return `| ${id} | ${attempt} | ${[...files].sort().join(', ')} |\n`;
    });
    return `\n## ${section}\n\n| case | attempt | tests |\n|---|---|---|\n${rows.join('')}`;
  });
  return HEAD + sections.join('') + NOT_TESTED;
}

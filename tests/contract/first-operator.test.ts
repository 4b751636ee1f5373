import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFirstOperator } from '#server/set-up/make-first-operator.ts';
import { storeSettings } from '#server/settings/stored-settings.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const catalogue = await createTestDatabase();
const { database } = dependenciesForJobs(catalogue.address, catchDelivery());
whenDone(() => database.close());
const EMBEDDED = { kind: 'embedded', sharedBuffers: undefined } as const;

/** Starts with what the set-up page stored. Resolves with what it logged, and what is stored afterwards. */
async function startWith(
  email: string,
  kind: typeof EMBEDDED | { readonly kind: 'url'; readonly url: string; readonly pooler: null },
) {
  const dataDirectory = await temporaryFolder();
  await storeSettings(dataDirectory, { FIRST_OPERATOR: { email, passwordHash: 'a hash' } });
  const warnings: unknown[] = [];
  const log = { warn: (...said: unknown[]) => void warnings.push(said.at(-1)) };
  await makeFirstOperator({ config: { production: true, database: kind, dataDirectory }, database, log });
  return { warnings, stored: await readFile(join(dataDirectory, 'settings.json'), 'utf8') };
}

const operators = () => catalogue.query<{ user_id: string }>('select user_id from internal.operators');

test('with a database of its own elsewhere, the hash of the set-up page goes, and no account is made', async () => {
  const elsewhere = { kind: 'url', url: 'postgres://db.example.org/lost', pooler: null } as const;
  const { stored } = await startWith('olive@example.org', elsewhere);
  expect(stored).not.toContain('a hash');
  expect(await operators()).toEqual([]);
});

test('an account that was there gets the role, keeps its password, and the log says so', async () => {
  const owner = await createOwner(catalogue, { password: 'correct horse' });
  const passwordOf = () => catalogue.query('select encrypted_password from auth.users where id = $1', [owner.id]);
  const before = await passwordOf();
  const { warnings, stored } = await startWith(owner.email, EMBEDDED);
  expect(warnings).toEqual(['The account named on the set-up page was there before. It keeps its password.']);
  expect(stored).not.toContain('a hash');
  expect(await operators()).toEqual([{ user_id: owner.id }]);
  expect(await passwordOf()).toEqual(before);
});

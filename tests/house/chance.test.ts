import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Random delays, so that clients and servers do not all retry at once. Guessing them gains nothing. */
const GUESSABLE = ['app/resilience/fetch-with-retry.ts', 'server/postgres/migrations/apply-schema.ts'];

test('nothing that must not be guessed comes from Math.random [D30]', () => {
  const sources = ['app', 'domain', 'server', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(m?js|tsx?)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(sources.length).toBeGreaterThan(500);
  const users = sources.filter((path) => readFileSync(join(root, path), 'utf8').includes('Math.random'));
  expect(users.sort()).toEqual(GUESSABLE);
});

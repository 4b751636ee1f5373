import { expect, test } from 'vitest';
import { StatementNames } from './statement-names.ts';

test('a statement gets a name the second time it is run, and keeps it', () => {
  const names = new StatementNames();
  const statement = { text: 'select 1', values: [2] };
  expect(names.named('anon', statement)).toEqual(statement);
  const named = names.named('anon', statement);
  expect(named).toEqual({ ...statement, name: expect.any(String) });
  expect(names.named('anon', { text: 'select 1', values: [3] }).name).toBe(named.name);
});

test('distinct statements of visitors run unnamed, and evict no names', () => {
  const names = new StatementNames();
  const given = new Set<string>();
  for (let count = 0; count < 5_000; count += 1) {
    names.named('anon', { text: `select ${count}` });
    const { name } = names.named('anon', { text: `select ${count}` });
    if (name !== undefined) given.add(name);
  }
  expect(given.size).toBe(200);
  names.named('authenticated', { text: 'select 1' });
  const { name } = names.named('authenticated', { text: 'select 1' });
  expect(name).toBeDefined();
  expect(given).not.toContain(name);
});

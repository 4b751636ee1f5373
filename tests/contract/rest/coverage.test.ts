import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';

const folder = import.meta.dirname;
const page = readFileSync(resolve(folder, '../../../docs/protocol/rest.md'), 'utf8');
const calls = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .map((name) => readFileSync(resolve(folder, name), 'utf8'))
  .join('\n');

/** The rows of the page's first table: a method and whether it is supported. */
const rows = [...page.matchAll(/^\| `(\w+)` \| (yes|partly|no|client) \|/gm)].map(
  ([, method = '', responded = '']) => ({
    method,
    responded,
  }),
);

/** What the classes keep for themselves. */
const INTERNAL = new Set(['constructor', 'cloneRequestState', 'processResponse', 'decorateFetch']);

/** Of the object's class and those that it extends. */
function methodsOf(instance: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(instance);
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return [];
  return [...Object.getOwnPropertyNames(prototype), ...methodsOf(prototype)];
}

test('the page has a row for every method of the client, and no other', () => {
  const client = createClient('http://localhost', 'key').schema('public');
  const query = client.from('items');
  const methods = [client, query, query.select()].flatMap(methodsOf);
  const known = new Set(methods.filter((method) => !INTERNAL.has(method)));
  expect(rows.map(({ method }) => method).toSorted()).toEqual([...known].toSorted());
});

describe('each method that the page calls supported is called in these tests', () => {
  test.each(rows.filter(({ responded }) => responded === 'yes' || responded === 'partly'))('$method', ({ method }) => {
    expect(calls.includes(`.${method}(`)).toBe(true);
  });
});

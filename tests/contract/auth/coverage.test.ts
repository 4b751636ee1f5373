import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { callAuth } from './support/call-auth.ts';
import { clientMethods } from './support/client-methods.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const byOperator = { apikey: server.secrets.secretKey };

const page = await readFile(resolve(import.meta.dirname, '../../../docs/protocol/auth.md'), 'utf8');
const [endpointTable = '', methodTable = ''] = page.split('## Methods of');

/** The rows of a table whose first cell is code. */
function rowsOf(table: string): { name: string; answered: string; notes: string; test: string }[] {
  return [...table.matchAll(/^\| `([^`]+)` \| ([^|]+) \|(.*)\|$/gm)].map(([, name = '', answered = '', rest = '']) => {
    const [notes = '', test = ''] = rest.split('|').map((cell) => cell.trim());
    return { name, answered: answered.trim(), notes, test };
  });
}

const methods = rowsOf(methodTable);
const endpoints = rowsOf(endpointTable);

test('every method of the official client stands in the table, and none that it does not have', () => {
  expect(methods.map(({ name }) => name).toSorted()).toEqual(clientMethods().toSorted());
  expect(new Set(methods.map(({ answered }) => answered))).toEqual(new Set(['yes', 'partly', 'no', 'in the client']));
});

const tested = methods.filter(({ answered }) => answered === 'yes' || answered === 'partly');

test.each(tested)('$name is called by the test that its row names', async ({ name, test: named }) => {
  const files = await readdir(import.meta.dirname);
  expect(files, `tests/contract/auth/${named}.test.ts`).toContain(`${named}.test.ts`);
  const text = await withSupport(`${named}.test.ts`);
  expect(text).toContain(`${name.replace(/^admin\.(?=\w+$)/, '').replace('admin.', '')}(`);
});

/** A test with the files of `support` that it imports. */
async function withSupport(file: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  const imported = [...text.matchAll(/from '\.\/(support\/[\w-]+\.ts)'/g)].map(([, path = '']) => path);
  const support = await Promise.all(imported.map((path) => readFile(join(import.meta.dirname, path), 'utf8')));
  return [text, ...support].join('\n');
}

test('what is not answered has no test to name, and what is partly answered says which part', () => {
  for (const { name, answered, notes, test: named } of methods) {
    if (answered === 'no' || answered === 'in the client') expect(named, name).toBe('');
    if (answered === 'partly') expect(notes, name).not.toBe('');
  }
});

test.each(endpoints)('$name answers as its row says: $answered', async ({ name, answered, notes }) => {
  const [method = '', path = ''] = name.split(' ');
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const answer = await callAuth(server, method, path.replaceAll(':id', randomUUID()), body, byOperator);
  const isThere = answer.status !== 501 && answer.status !== 405 && answer.body?.code !== 'unknown';
  if (answered === 'no') {
    const grantless = path.startsWith('/token') && answer.body.message === 'unsupported_grant_type';
    expect(grantless || answer.status === 501).toBe(true);
  } else {
    expect(isThere && answer.body?.message !== 'unsupported_grant_type', JSON.stringify(answer.body)).toBe(true);
  }
  if (answered === 'partly') expect(notes).not.toBe('');
});

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
function rowsOf(table: string): { name: string; responded: string; notes: string; test: string }[] {
  return [...table.matchAll(/^\| `([^`]+)` \| ([^|]+) \|(.*)\|$/gm)].map(([, name = '', responded = '', rest = '']) => {
    const [notes = '', test = ''] = rest.split('|').map((cell) => cell.trim());
    return { name, responded: responded.trim(), notes, test };
  });
}

const methods = rowsOf(methodTable);
const endpoints = rowsOf(endpointTable);

test('the table lists every method of the official client, and no other', () => {
  expect(methods.map(({ name }) => name).toSorted()).toEqual(clientMethods().toSorted());
  expect(new Set(methods.map(({ responded }) => responded))).toEqual(new Set(['yes', 'partly', 'no', 'in the client']));
});

const tested = methods.filter(({ responded }) => responded === 'yes' || responded === 'partly');

test.each(tested)('$name is called by the test that its row names', async ({ name, test: named }) => {
  const files = await readdir(import.meta.dirname);
  expect(files, `tests/contract/auth/${named}.test.ts`).toContain(`${named}.test.ts`);
  const text = await withSupport(`${named}.test.ts`);
  expect(text).toContain(`${name.replace(/^admin\.(?=\w+$)/, '').replace('admin.', '')}(`);
});

/** What a part that is off is refused with. */
const OFF = new Set(['feature_disabled', 'provider_disabled', 'saml_provider_disabled', 'web3_provider_disabled']);

/** A test with the files of `support` that it imports. */
async function withSupport(file: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  const imported = [...text.matchAll(/from '\.\/(support\/[\w-]+\.ts)'/g)].map(([, path = '']) => path);
  const support = await Promise.all(imported.map((path) => readFile(join(import.meta.dirname, path), 'utf8')));
  return [text, ...support].join('\n');
}

test('an unsupported endpoint names no test, and a partly supported one says which part', () => {
  for (const { name, responded, notes, test: named } of methods) {
    if (responded === 'no' || responded === 'in the client') expect(named, name).toBe('');
    if (responded === 'partly') expect(notes, name).not.toBe('');
  }
});

test.each(endpoints)('$name is supported as its row says: $answered', async ({ name, responded, notes }) => {
  const [method = '', path = ''] = name.split(' ');
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const response = await callAuth(server, method, path.replaceAll(':id', randomUUID()), body, byOperator);
  const isRefused = OFF.has(response.body?.code);
  const isThere = !isRefused && response.status !== 405 && response.body?.code !== 'unknown';
  if (responded === 'no') {
    expect(isRefused).toBe(true);
  } else {
    expect(isThere && response.body?.message !== 'unsupported_grant_type', JSON.stringify(response.body)).toBe(true);
  }
  if (responded === 'partly') expect(notes).not.toBe('');
});

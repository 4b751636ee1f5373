import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/protocol/storage.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(Storage\w+)\.(\w+)` \| (.+?) \|.*\| (.*?) ?\|$/gm)].map(
  ([, owner = '', method = '', responded = '', proof = '']) => ({
    method: `${owner}.${method}`,
    responded,
    proof: /`(.+)`/.exec(proof)?.[1],
  }),
);

/** Public methods of an object and of its ancestors, without those that TypeScript declares private. */
const PRIVATE =
  /^(_|constructor$|uploadOrUpdate|prepareUploadFormData|applyTransform|encodeMetadata|handleOperation|bucketLifecycleUrl|listBucketOptionsToQueryString)/;

function methodsOf(name: string, thing: object): string[] {
  const methods = new Set<string>();
  for (
    let prototype = Object.getPrototypeOf(thing);
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (typeof value === 'function' && !PRIVATE.test(key)) methods.add(`${name}.${key}`);
    }
  }
  return [...methods];
}

test('every method of the client stands in the table, and nothing else does', () => {
  const { storage } = createClient('http://localhost', 'key');
  const methods = [...methodsOf('StorageClient', storage), ...methodsOf('StorageFileApi', storage.from('bucket'))];
  expect(rows.map(({ method }) => method).sort()).toEqual(methods.sort());
});

test('each supported row of the table has a test that calls it', () => {
  const unproved = rows.filter(({ responded, method, proof }) => {
    if (responded !== 'yes' && responded !== 'partly') return false;
    const path = join(import.meta.dirname, proof ?? 'none');
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(`${method.split('.')[1]}(`);
  });
  expect(unproved).toEqual([]);
});

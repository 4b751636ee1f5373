import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
}

async function readPackage(path: string): Promise<Package> {
  return JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')) as Package;
}

test('the parts of the official client that the browser loads one by one are the ones that supabase-js is made of', async () => {
  const own = (await readPackage('package.json')).dependencies;
  const official = (await readPackage('node_modules/@supabase/supabase-js/package.json')).dependencies;
  const parts = Object.keys(own).filter((name) => name.startsWith('@supabase/') && name !== '@supabase/supabase-js');
  expect(parts.toSorted()).toEqual(
    ['auth-js', 'postgrest-js', 'realtime-js', 'storage-js'].map((name) => `@supabase/${name}`),
  );
  for (const part of parts) expect([part, own[part]]).toEqual([part, official[part]]);
});

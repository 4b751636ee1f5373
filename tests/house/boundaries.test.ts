import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

let house: string;
beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'reunite-house-'));
  const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
  // The same rules, in a folder that is not a checkout.
  await writeFile(join(house, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
});
afterAll(() => rm(house, { recursive: true, force: true }));

/** The rules that the linter finds broken in one file with this text at this place. */
async function brokenRules(path: string, text: string): Promise<string[]> {
  const file = join(house, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  const { stdout } = await run(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--reporter=json', `--config-path=${house}`, file],
    { cwd: house },
  ).catch((failure: { stdout: string }) => failure);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string }[] };
  await rm(file);
  return diagnostics.map(({ category }) => category);
}

const BOUNDARY = 'lint/style/noRestrictedImports';

const FORBIDDEN = [
  ['domain/tag.ts', "import '#server/config.ts';"],
  ['domain/tag.ts', "import type { Config } from '../server/config.ts';\nexport type { Config };"],
  ['domain/tag.ts', "import '#app/root.tsx';"],
  ['domain/tag.ts', "import 'node:fs';"],
  ['domain/tag.ts', "import 'react';"],
  ['app/routes/item.tsx', "import '#server/config.ts';"],
  ['app/routes/item.tsx', "import type { Config } from '../../server/config.ts';\nexport type { Config };"],
  ['app/routes/item.tsx', "import 'pg';"],
  ['app/features/finder/page.tsx', "import '#app/features/tagging/form.tsx';"],
  ['app/features/finder/page.tsx', "import '../tagging/form.tsx';"],
  ['app/ui/button.tsx', "import '#domain/tag-code/tag-code.ts';"],
  ['app/ui/button.tsx', "import '#server/config.ts';"],
  ['server/auth/endpoints/signup.ts', "import '#server/rest/routes.ts';"],
  ['server/auth/endpoints/signup.ts', "import '../rest/routes.ts';"],
  ['server/rest/deep/parse.ts', "import '../../realtime/routes.ts';"],
  ['server/rest/routes.ts', "import '#server/guards/guarded-functions.ts';"],
  ['server/rest/deep/parse.ts', "import '../../guards/guarded-functions.ts';"],
  ['server/realtime/join.ts', "import type { Web } from '#server/web/web.ts';\nexport type { Web };"],
  ['server/auth/endpoints/signup.ts', "import 'pg';"],
  ['server/jobs/notify.ts', "import 'pg';"],
  ['server/web/web.ts', "import 'pg';"],
  ['server/http/health.ts', "import '../../app/root.tsx';"],
  ['server/postgres/database.ts', "import '#app/root.tsx';"],
] as const;

test.each(FORBIDDEN)('%s may not say %s', async (path, text) => {
  expect(await brokenRules(path, `${text}\n`)).toContain(BOUNDARY);
});

const ALLOWED = [
  ['domain/tag.ts', "import './item-catalogue.ts';"],
  ['app/routes/item.tsx', "import '#domain/tag-code/tag-code.ts';"],
  ['server/auth/endpoints/signup.ts', "import '#server/postgres/database.ts';"],
  ['server/postgres/database.ts', "import 'pg';"],
  ['server/web/web.ts', "import '#app/entry.server.tsx';"],
] as const;

test.each(ALLOWED)('%s may say %s', async (path, text) => {
  expect(await brokenRules(path, `${text}\n`)).not.toContain(BOUNDARY);
});

test('two files that import each other are a cycle', async () => {
  await mkdir(join(house, 'domain'), { recursive: true });
  await writeFile(join(house, 'domain/one.ts'), "import { two } from './two.ts';\nexport const one = () => two;\n");
  expect(
    await brokenRules('domain/two.ts', "import { one } from './one.ts';\nexport const two = () => one;\n"),
  ).toContain('lint/suspicious/noImportCycles');
});

test('a floating promise is an error', async () => {
  expect(
    await brokenRules(
      'domain/floating.ts',
      'async function save(): Promise<void> {}\nexport function go() {\n  save();\n}\n',
    ),
  ).toContain('lint/nursery/noFloatingPromises');
});

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const pages = tracked.filter((path) => path.endsWith('.md'));
const sources = tracked.filter((path) => /\.(mjs|sql|tsx?)$/.test(path));

/** The text of a page without its code, where brackets are no links and `#` begins no heading. */
function proseOf(page: string): string {
  return page
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ''));
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let unique = anchor;
    for (let copy = 1; anchors.has(unique); copy += 1) unique = `${anchor}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The links of a page that lead into this repository, and to no file or heading. */
function brokenLinks(path: string, page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(root, linked))) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(file === '' ? page : readFileSync(join(root, linked), 'utf8')).has(anchor);
    });
}

test.each(pages)('%s links only to files and headings that exist', (path) => {
  expect(brokenLinks(path, readFileSync(join(root, path), 'utf8'))).toEqual([]);
});

const FOLDER = /^(app|benchmarks|database|docs|domain|server|tests|tools)\//;

/** The files and folders that a page names in code, and that are not there. */
function missingFiles(page: string): string[] {
  return [...page.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code.split(' › ', 1)[0] ?? '')
    .filter((path) => FOLDER.test(path) && /^[\w./-]+$/.test(path) && !existsSync(join(root, path)));
}

test.each(pages)('%s names only files that exist', (path) => {
  expect(missingFiles(readFileSync(join(root, path), 'utf8'))).toEqual([]);
});

test('the index lists every decision, and the missing numbers', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  const names = pages
    .map((path) => /^docs\/decisions\/(\d{4}-.+)$/.exec(path)?.[1])
    .filter((name) => name !== undefined);
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  const listed = [...index.matchAll(/^[|-] (\d+(?:, \d+)*)(?::| \|) /gm)].flatMap(([, numbers = '']) =>
    numbers.split(', ').map(Number),
  );
  expect(listed.toSorted((a, b) => a - b)).toEqual(listed.map((_, position) => position + 1));
});

test('a decision has a date', () => {
  const undated = pages
    .filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
    .filter((path) => !/^Date: \d{4}-\d\d-\d\d\\?$/m.test(readFileSync(join(root, path), 'utf8')));
  expect(undated).toEqual([]);
});

test('comments name only documents that exist', () => {
  const broken = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
      .filter(([page]) => !existsSync(join(root, page)))
      .map(([page]) => `${path}: ${page}`),
  );
  expect(broken).toEqual([]);
});

test('a broken link is found', () => {
  const page = '# One way\n\n[a](none.md) [b](#two-ways) [c](README.md#none) [d](#one-way) [e](README.md)\n';
  expect(brokenLinks('README.md', page)).toEqual(['none.md', '#two-ways', 'README.md#none']);
});

test('a file that is not there is found', () => {
  expect(missingFiles('`server/none.ts` `tests/none.test.ts › a title` `server/app.ts` `app/` `{id}`')).toEqual([
    'server/none.ts',
    'tests/none.test.ts',
  ]);
});

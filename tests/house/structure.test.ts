import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { titlesIn } from './test-titles.ts';

const root = join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(app|benchmarks|domain|server|tests|tools)\/.*\.(m?js|tsx?)$/.test(path));
const sources = tracked.filter((path) => !/\.(test|spec)\.tsx?$/.test(path));

/** Folders with more files than that are hard to find anything in, so they need rooms. */
const MOST_FILES = 20;

/** Larger folders, each with the reason why rooms would not help. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {
  'app/routes': 'one file for each address of the app',
  'tests/e2e/support': 'what a browser test starts from, one file for each thing that it may ask for',
  'tests/support': 'what any test may start or send; one list is how a new test finds it',
};

describe('folders', () => {
  const sizes = new Map<string, number>();
  for (const path of sources) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);

  test(`none has more than ${MOST_FILES} source files at one level without a reason`, () => {
    const large = [...sizes].filter(([, files]) => files > MOST_FILES).map(([folder]) => folder);
    expect(large.sort()).toEqual(Object.keys(LARGE_FOLDERS).sort());
  });
});

interface Entry {
  readonly words: readonly string[];
  /** Names in which the glossary allows them. */
  readonly allowed: readonly string[];
}

const glossary: readonly Entry[] =
  readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    .split('## Not used in names')[1]
    ?.split('\n')
    .flatMap((line) => {
      const [, entry, , allowed = ''] = line.split('|').map((cell) => cell.trim());
      const [, words] = /^`([a-z ]+)`$/.exec(entry ?? '') ?? [];
      if (words === undefined) return [];
      return { words: words.split(' '), allowed: [...allowed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name) };
    }) ?? [];

/** `readAnswer`, `read-answer` and `READ_ANSWER` all become `read answer`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function forbiddenIn(name: string): string[] {
  const words = wordsOf(name);
  const isSame = (word: string | undefined, forbidden: string) => word === forbidden || word === `${forbidden}s`;
  return glossary
    .filter(({ allowed }) => !allowed.includes(name))
    .filter((entry) => words.some((_, at) => entry.words.every((word, offset) => isSame(words[at + offset], word))))
    .map((entry) => entry.words.join(' '));
}

const parsed = new Map<string, ReturnType<typeof parseSync>>();

/** The syntax of a file, which is parsed once for all checks. */
function parse(path: string): ReturnType<typeof parseSync> {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const result = parseSync(path, readFileSync(join(root, path), 'utf8'));
  parsed.set(path, result);
  return result;
}

/** Every name that a file uses in code: not in comments, not in strings, not in the text of elements. */
function namesIn(path: string): Set<string> {
  const { program } = parse(path);
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, name } = node as { readonly type?: unknown; readonly name?: unknown };
    if ((type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string') names.add(name);
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return names;
}

describe('names', () => {
  test('the glossary lists words that names do not use', () => {
    expect(glossary.length).toBeGreaterThan(10);
    expect(forbiddenIn('readAnswers')).toEqual(['answer']);
    expect(forbiddenIn('lastGoodItem')).toEqual(['last good']);
    expect(forbiddenIn('goodLast')).toEqual([]);
    expect([...namesIn('tests/house/structure.test.ts')]).toContain('forbiddenIn');
  });

  test('no file is named by one of them', () => {
    const found = tracked.flatMap((path) => forbiddenIn(basename(path)).map((word) => `${path}: ${word}`));
    expect(found).toEqual([]);
  });

  test('no identifier is', () => {
    const found = tracked.flatMap((path) =>
      [...namesIn(path)].flatMap((name) => forbiddenIn(name).map((word) => `${path}: ${name} (${word})`)),
    );
    expect(found).toEqual([]);
  });
});

describe('titles of tests', () => {
  /** Not used in names for contact methods, and an ordinary word in a sentence: "can be read in two ways". */
  const ORDINARY = ['ways'];
  const forbiddenInTitle = (title: string) =>
    // A column of a table, such as `$name`, is a name and not a word of the title.
    forbiddenIn(title.replaceAll(/\$\w+/g, '')).filter((word) => !ORDINARY.includes(word));

  test('a title is found by its words, in any case and form', () => {
    expect(forbiddenInTitle('Nobody else’s code answers, and a gateway is told')).toEqual(['answer', 'nobody', 'told']);
    expect(forbiddenInTitle('both ways, as $answered says')).toEqual([]);
  });

  test('none uses a word that names do not use', () => {
    const files = tracked.filter((path) => /\.(test|spec)\.tsx?$/.test(path));
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((path) =>
      [...titlesIn(readFileSync(join(root, path), 'utf8'), path)].flatMap((title) =>
        forbiddenInTitle(title).map((word) => `${path}: ${title} (${word})`),
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('connections to PostgreSQL', () => {
  /** What `Database` offers that does not act as the caller. A new one belongs in `docs/architecture.md` as well. */
  const PAST_ROW_LEVEL_SECURITY = ['asService', 'transactAsService', 'countLimits', 'asOwner', 'runJobQueue'];
  const AS_THE_CALLER = ['readAsVisitor', 'asCaller', 'transactAsCaller'];
  const WITHOUT_DATA = ['listen', 'holdLock', 'isHearing', 'usage', 'close'];

  test('no pool leaves server/postgres', () => {
    const users = tracked.filter(
      (path) => path.startsWith('server/') && !path.startsWith('server/postgres/') && !/\.test\.ts$/.test(path),
    );
    expect(users.length).toBeGreaterThan(300);
    const found = users.filter((path) =>
      [...namesIn(path)].some((name) => /^(Pool|PoolClient|pgPool|Client)$/.test(name)),
    );
    expect(found).toEqual([]);
  });

  test('every way past row-level security is a method of Database, and is in the architecture', () => {
    const source = readFileSync(join(root, 'server/postgres/database.ts'), 'utf8');
    const [, members = ''] = /export interface Database \{\n([\s\S]*?)\n\}\n/.exec(source) ?? [];
    const methods = [...members.matchAll(/^ {2}(\w+)[<(:]/gm)].map(([, name]) => name);
    expect(methods.sort()).toEqual([...PAST_ROW_LEVEL_SECURITY, ...AS_THE_CALLER, ...WITHOUT_DATA].sort());
    const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    expect(PAST_ROW_LEVEL_SECURITY.filter((method) => !architecture.includes(`\`${method}\``))).toEqual([]);
  });
});

describe('imports between rooms', () => {
  const halls = sources.filter((path) => /^(app|domain|server)\//.test(path));

  /** `app/features/owner/threads/x.ts` is in `app/features/owner`, `server/auth/codes/x.ts` in `server/auth`. */
  function roomOf(path: string): string {
    const parts = path.split('/');
    if (parts.length === 2) return path;
    return parts.slice(0, path.startsWith('app/features/') ? 3 : 2).join('/');
  }

  /** The rooms within a hall: `server/auth/codes/x.ts` is in `server/auth/codes`, and `server/auth/routes.ts` is one. */
  const innerRoomOf = (path: string) => path.split('/').slice(0, 3).join('/');

  /** The files of ours that a file needs when it runs; types are gone by then. */
  function importedBy(path: string): string[] {
    const { module } = parse(path);
    const statics = [...module.staticImports, ...module.staticExports].flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType),
    );
    const specifiers = [
      ...module.staticImports
        .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
        .map(({ moduleRequest }) => moduleRequest.value),
      ...statics.flatMap((entry) => ('moduleRequest' in entry ? (entry.moduleRequest?.value ?? []) : [])),
    ];
    return specifiers
      .map((specifier) => specifier.replace(/\?.*$/, ''))
      .flatMap((specifier) => {
        if (specifier.startsWith('#')) return specifier.slice(1);
        return specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : [];
      })
      .filter((target) => halls.includes(target));
  }

  /** The rooms that each room imports from. */
  function needsOf(paths: readonly string[], room: (path: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
    const needs = new Map<string, Set<string>>();
    for (const path of paths) {
      const targets = needs.get(room(path)) ?? new Set();
      for (const target of importedBy(path)) if (room(target) !== room(path)) targets.add(room(target));
      needs.set(room(path), targets);
    }
    return needs;
  }

  function reachableFrom(
    needs: ReadonlyMap<string, ReadonlySet<string>>,
    room: string,
    seen = new Set<string>(),
  ): ReadonlySet<string> {
    for (const next of needs.get(room) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reachableFrom(needs, next, seen);
    }
    return seen;
  }

  const loopsIn = (needs: ReadonlyMap<string, ReadonlySet<string>>) =>
    [...needs.keys()].filter((room) => reachableFrom(needs, room).has(room));

  const needs = needsOf(halls, roomOf);

  test('the check sees imports', () => {
    expect(reachableFrom(needs, 'server/main.ts')).toContain('server/postgres');
    expect(reachableFrom(needs, 'app/routes')).toContain('app/client');
    expect(reachableFrom(needs, 'domain/language.ts')).toContain('domain/texts');
  });

  test('no room needs itself by way of another', () => {
    expect(loopsIn(needs)).toEqual([]);
  });

  test.each(['server/auth', 'server/realtime', 'server/rest', 'server/storage', 'server/web'])(
    'no room within %s needs itself by way of another',
    (hall) => {
      const within = needsOf(
        halls.filter((path) => path.startsWith(`${hall}/`)),
        innerRoomOf,
      );
      expect(within.size).toBeGreaterThan(5);
      expect(loopsIn(within)).toEqual([]);
    },
  );
});

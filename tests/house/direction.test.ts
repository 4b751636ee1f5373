import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'app'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(css|tsx?)$/.test(path) && !/\.test\.ts$/.test(path));

/** Classes that name a side of the screen. Those that name the start or the end are mirrored in right-to-left languages. */
const SIDES = [
  /[mp][lr]-[\w[(]/,
  /scroll-[mp][lr]-[\w[(]/,
  /(?:left|right)-[\w[(]/,
  /(?:text|float|clear|origin|object|bg|mask)-(?:(?:top|bottom)-)?(?:left|right)/,
  /rounded-(?:[lr]|[tb][lr])(?![a-z])/,
  /border-[lr](?![a-z])/,
  /(?:bg|mask)-(?:linear|gradient)-to-[tb]?[lr](?![a-z])/,
  /(?:slide|translate)-x-[\w[(]/,
];
const CLASS = new RegExp(`(?<![\\w-])-?(?:${SIDES.map(({ source }) => source).join('|')})(?![\\w-]*:)[^\\s'"\`]*`, 'g');

/** The classes of a source that move or place something on one side, and have no counterpart for the other direction. */
function oneSidedClasses(source: string): string[] {
  // Only what is in a string or a template is a class.
  const strings = source.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
  return strings.flatMap((string) =>
    [...string.matchAll(CLASS)].map(([name]) => name).filter((name) => !hasCounterpart(string, name)),
  );
}

/** `translate-x-1` moves the other way with `rtl:-translate-x-1` beside it. */
function hasCounterpart(string: string, name: string): boolean {
  const at = string.indexOf(name);
  const isOfOneDirection = /(?:rtl|ltr):[\w-:]*$/.test(string.slice(0, at));
  return isOfOneDirection || new RegExp(`rtl:[\\w:-]*${name.replace(/^-/, '')}`).test(string);
}

/** The declarations of a stylesheet, or of styles in a script, that name a side. */
function oneSidedDeclarations(source: string): string[] {
  const names = '(?:margin|padding|border|scroll-margin|scroll-padding|inset)-(?:left|right)(?:-\\w+)?|left|right';
  const sided = new RegExp(
    `(?<=[{;\\s])(?:${names}|(?:text-align|float|clear)(?=\\s*:\\s*(?:left|right)))\\s*:[^;}]*`,
    'g',
  );
  return source.replace(/\/\*[\s\S]*?\*\//g, '').match(sided) ?? [];
}

describe('right-to-left languages', () => {
  test('a class and a declaration that name a side are found, and their mirrored forms are not', () => {
    expect(oneSidedClasses(`'ml-2 sm:-pl-4 ms-2 ps-4 inset-x-4 text-start mx-auto'`)).toEqual(['ml-2', '-pl-4']);
    expect(oneSidedClasses(`"left-0 text-left rounded-l-md rounded-lg border-l-4 border-line"`)).toEqual([
      'left-0',
      'text-left',
      'rounded-l-md',
      'border-l-4',
    ]);
    expect(oneSidedClasses(`'translate-x-1'`)).toEqual(['translate-x-1']);
    expect(oneSidedClasses(`'translate-x-1 rtl:-translate-x-1'`)).toEqual([]);
    expect(oneSidedDeclarations('a { margin-left: 2px; text-align: right; margin-inline: 0; }')).toEqual([
      'margin-left: 2px',
      'text-align: right',
    ]);
  });

  test('what belongs to the start or the end of a line is not on the left or on the right', () => {
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      const sided = path.endsWith('.css') ? oneSidedDeclarations(source) : oneSidedClasses(source);
      return sided.map((name) => `${path}: ${name}`);
    });
    expect(found).toEqual([]);
  });
});

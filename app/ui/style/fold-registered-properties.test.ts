import { expect, test } from 'vitest';
import { foldRegisteredProperties } from './fold-registered-properties.ts';

const property = (name: string, initial?: string) =>
  `@property ${name}{syntax:"*";inherits:false${initial === undefined ? '' : `;initial-value:${initial}`}}`;

test('a property that is never set is replaced by its initial value and not registered', () => {
  expect(
    foldRegisteredProperties(`.a{border-style:var(--tw-border-style)}${property('--tw-border-style', 'solid')}`),
  ).toBe('.a{border-style:solid}');
});

test('without an initial value the fallback is used, with or without brackets, or nothing', () => {
  const registered = property('--tw-ordinal') + property('--tw-leading');
  expect(foldRegisteredProperties(`.a{x:var(--tw-ordinal,) 1;y:var(--tw-leading,var(--b))}${registered}`)).toBe(
    '.a{x: 1;y:var(--b)}',
  );
});

test('a property that is neither registered nor set is replaced by its fallback', () => {
  expect(foldRegisteredProperties('.a{x:var(--tw-ease,var(--b));y:var(--tw-duration,1s)}.b{--tw-duration:2s}')).toBe(
    '.a{x:var(--b);y:var(--tw-duration,1s)}.b{--tw-duration:2s}',
  );
});

test('a property that one rule sets and another reads stays registered', () => {
  const styles = `.a{--tw-leading:1;line-height:1}.b{line-height:var(--tw-leading,2)}${property('--tw-leading')}`;
  expect(foldRegisteredProperties(styles)).toBe(styles);
});

test('a property that is set and never read is removed', () => {
  const styles = `.a{--tw-font-weight:700;font-weight:700}.b{--tw-font-weight:500}${property('--tw-font-weight')}`;
  expect(foldRegisteredProperties(styles)).toBe('.a{font-weight:700}.b{}');
});

test('a property is not confused with a longer name that starts with it', () => {
  const registered = property('--tw-ring', '0') + property('--tw-ring-color');
  const styles = `.a{x:var(--tw-ring);y:var(--tw-ring-color,red)}.b{--tw-ring-color:blue}`;
  expect(foldRegisteredProperties(styles + registered)).toBe(
    `.a{x:0;y:var(--tw-ring-color,red)}.b{--tw-ring-color:blue}${property('--tw-ring-color')}`,
  );
});

test('fallback values for browsers without registration are kept for registered properties', () => {
  const fallbacks = (values: string) =>
    `@layer properties{@supports ((-moz-orient:inline)){*,:before{${values}}::backdrop{${values}}}}`;
  const styles = '.a{--tw-translate-y:1px}.b{x:var(--tw-translate-y) var(--tw-translate-x)}';
  const registered = property('--tw-translate-x', '0') + property('--tw-translate-y', '0');
  expect(foldRegisteredProperties(fallbacks('--tw-translate-x:0;--tw-translate-y:0') + styles + registered)).toBe(
    `${fallbacks('--tw-translate-y:0')}.a{--tw-translate-y:1px}.b{x:var(--tw-translate-y) 0}${property('--tw-translate-y', '0')}`,
  );
});

test('a property that every rule sets where it reads it is replaced by the value of the rule', () => {
  const styles = `.a{--tw-shadow:1px;box-shadow:0 0 #0000, var(--tw-shadow)}.b{--tw-shadow:2px;box-shadow:0 0 #0000, var(--tw-shadow)}`;
  expect(foldRegisteredProperties(styles + property('--tw-shadow', '0 0 #0000'))).toBe(
    '.a{box-shadow:1px}.b{box-shadow:2px}',
  );
});

test('numerals that are left alone leave no spaces', () => {
  expect(foldRegisteredProperties('.a{font-variant-numeric:   tabular-nums }')).toBe(
    '.a{font-variant-numeric:tabular-nums}',
  );
});

test('what lightningcss adds for light-dark() is removed', () => {
  const added =
    'html{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark}' +
    '@media (prefers-color-scheme:dark){html{--lightningcss-light: ;--lightningcss-dark:initial}}body{margin:0}';
  expect(foldRegisteredProperties(added)).toBe('html{color-scheme:light dark}body{margin:0}');
});

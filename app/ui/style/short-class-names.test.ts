import { expect, test } from 'vitest';
import { shortClassNames } from './short-class-names.ts';

const STYLES =
  '/*! by tailwindcss.com */.flex{display:flex}.mt-0\\.5{margin-top:.125rem}@media (min-width:40rem){.sm\\:flex{display:flex}}' +
  '.not-has-\\[\\>p\\]\\:hidden:not(:has(>p)){display:none}.text-danger{color:red}.flex.mt-0\\.5:hover{gap:1px}';

test('styles and HTML get the same short names, and values, comments, and texts stay', () => {
  const { styles, shorten } = shortClassNames(STYLES, '');
  expect(styles).toBe(
    '/*! by tailwindcss.com */.a{display:flex}.b{margin-top:.125rem}@media (min-width:40rem){.c{display:flex}}' +
      '.d:not(:has(>p)){display:none}.e{color:red}.a.b:hover{gap:1px}',
  );
  expect(shorten('<p class="flex mt-0.5 sm:flex">flex &quot;class=flex</p>')).toBe(
    '<p class="a b c">flex &quot;class=flex</p>',
  );
  expect(shorten('<p class="not-has-[&gt;p]:hidden">')).toBe('<p class="d">');
});

test('a class without a style is dropped', () => {
  const { shorten } = shortClassNames(STYLES, '');
  expect(shorten('<svg class="lucide flex"><path class="lucide"/></svg>')).toBe('<svg class="a"><path/></svg>');
});

test('a class that the script names keeps its name', () => {
  const { styles, shorten } = shortClassNames(STYLES, 'toggle(`text-danger`)');
  expect(styles).toContain('.text-danger{color:red}');
  expect(shorten('<p class="flex text-danger">')).toBe('<p class="a text-danger">');
});

test('names are different beyond the alphabet', () => {
  const names = Array.from({ length: 800 }, (_, index) => `class-${index}`);
  const { shorten } = shortClassNames(names.map((name) => `.${name}{gap:0}`).join(''), '');
  expect(new Set(names.map((name) => shorten(`<p class="${name}">`))).size).toBe(800);
});

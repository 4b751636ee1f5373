import { expect, test } from 'vitest';
import { isolateName } from './isolate-name.ts';

test.each(['Olive', 'Zoë 7', '', '東京', '–'])('%j stays as it is', (name) => {
  expect(isolateName(name)).toBe(name);
});

test.each(['דוד', 'محمد', 'Olive אבא', '٣', '𞤀𞤁'])('%j is isolated [K29]', (name) => {
  expect(isolateName(name)).toBe(`\u2068${name}\u2069`);
});

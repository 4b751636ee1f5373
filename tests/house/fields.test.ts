import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Fields that are not typed into, and those of components that pass on what they are given. */
const NOT_TYPED = /type="(hidden|file|radio|checkbox|range|color|time)"|\sreadOnly\b|\{\.\.\.(input|props|rest)\}/;

/** Returns the opening tags of an element with their places. */
function openingTags(source: string, name: string): string[] {
  return [...source.matchAll(new RegExp(`<${name}\\b`, 'g'))].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < source.length; at += 1) {
      const character = source[at];
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      else if (character === '>' && depth === 0) return source.slice(index, at);
    }
    return source.slice(index);
  });
}

test('every field says what may be filled in, and what the Enter key of a touch keyboard does', () => {
  const lacking = globSync('app/**/*.tsx').flatMap((file) =>
    openingTags(readFileSync(file, 'utf8'), '(?:input|TextField|PasswordField)')
      .filter((tag) => !NOT_TYPED.test(tag) && !(tag.includes('autoComplete=') && tag.includes('enterKeyHint=')))
      .map((tag) => `${file}: ${tag.replaceAll(/\s+/g, ' ').slice(0, 80)}`),
  );
  expect(lacking).toEqual([]);
});

test('every field for several lines says what may be filled in', () => {
  const lacking = globSync('app/**/*.tsx').flatMap((file) =>
    openingTags(readFileSync(file, 'utf8'), '(?:textarea|TextAreaField)')
      .filter((tag) => !NOT_TYPED.test(tag) && !tag.includes('autoComplete='))
      .map((tag) => `${file}: ${tag.replaceAll(/\s+/g, ' ').slice(0, 80)}`),
  );
  expect(lacking).toEqual([]);
});

test('every field of the page that sets the service up says so too', () => {
  const fields = openingTags(readFileSync('server/set-up/form-page.ts', 'utf8'), 'input').filter(
    (tag) => !NOT_TYPED.test(tag),
  );
  expect(fields).not.toEqual([]);
  for (const field of fields) expect(field).toMatch(/enterkeyhint=.* autocomplete=.* inputmode=/);
});

test('a field for an address or a number brings its own keyboard', () => {
  const lacking = globSync('app/**/*.tsx').flatMap((file) =>
    openingTags(readFileSync(file, 'utf8'), '(?:input|TextField)')
      .filter((tag) => /type="(email|tel|url)"/.test(tag) && !NOT_TYPED.test(tag) && !tag.includes('inputMode='))
      .map((tag) => `${file}: ${tag.replaceAll(/\s+/g, ' ').slice(0, 80)}`),
  );
  expect(lacking).toEqual([]);
});

import { expect, it } from 'vitest';
import { firstName } from './first-name.ts';

it('is the first word', () => {
  expect(firstName(' Maya  Cohen ')).toBe('Maya');
  expect(firstName('דנה כהן')).toBe('דנה');
});

it('is null where there is no name', () => {
  for (const name of ['', '  ', null, undefined]) expect(firstName(name)).toBeNull();
});

import { postgresChangesFilter } from '@supabase/supabase-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFilter } from './parse-filter.ts';

const condition = (column: string, operator: string, value: string | string[], negated = false) => ({
  column,
  operator,
  value,
  negated,
});

test.each([
  ['owner_id=eq.abc', [condition('owner_id', 'eq', 'abc')]],
  ['body=eq.a=b.c', [condition('body', 'eq', 'a=b.c')]],
  ['body=eq.', [condition('body', 'eq', '')]],
  ['body=eq.Hello, world', [condition('body', 'eq', 'Hello, world')]],
  ['n=gte.1,n=lt.5', [condition('n', 'gte', '1'), condition('n', 'lt', '5')]],
  ['s=not.in.(a,b)', [condition('s', 'in', ['a', 'b'], true)]],
  ['s=in.(a,"b,c","d\\"e")', [condition('s', 'in', ['a', 'b,c', 'd"e'])]],
  ['s=in.()', [condition('s', 'in', [''])]],
  ['s=eq."a,n=eq.5",n=is.null', [condition('s', 'eq', 'a,n=eq.5'), condition('n', 'is', 'null')]],
])('%s', (filter, conditions) => {
  expect(parseFilter(filter)).toEqual({ ok: true, conditions });
});

test.each([
  ['owner_id=foo.hey', '["foo", "hey"]'],
  ['owner_id=hey', '["hey"]'],
  ['owner_id', '["owner_id"]'],
  ['=eq.1', '["=eq.1"]'],
  ['body=match.(a+)+$', '["match", "(a+)+$"]'],
  ['s=in.a,b', '["in", "a,b"]'],
  ['s=in.("a)', '["in", "(\\"a)"]'],
])('%s is refused', (filter, pieces) => {
  expect(parseFilter(filter)).toEqual({ ok: false, message: `Error parsing \`filter\` params: ${pieces}` });
});

describe('what the official client writes', () => {
  test('is read back, whatever the values contain', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }),
        (one, many) => {
          const filter = postgresChangesFilter().eq('a', one).in('b', many).build();
          expect(parseFilter(filter)).toEqual({
            ok: true,
            conditions: [condition('a', 'eq', one), condition('b', 'in', [...new Set(many)])],
          });
        },
      ),
    );
  });
});

test('a hostile filter takes no time and throws nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'=.,()"\\ abeqinot'), maxLength: 2000 }), (filter) => {
      const before = process.threadCpuUsage();
      parseFilter(filter);
      expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
    }),
  );
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/protocol/realtime.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(Realtime\w+)\.(\w+)` \| (.+?) \|(.*)\|$/gm)].map(
  ([, owner = '', method = '', responded = '', proof = '']) => ({
    method: `${owner}.${method}`,
    responded,
    proof: /`(.+)`/.exec(proof)?.[1],
  }),
);

/** The methods that a program may call: those of the client's prototypes that are not private by name. */
function methodsOf(name: string, prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype)
    .filter((key) => key !== 'constructor' && !key.startsWith('_'))
    .filter((key) => typeof Object.getOwnPropertyDescriptor(prototype, key)?.value === 'function')
    .map((key) => `${name}.${key}`);
}

test('every method of the client stands in the table, and nothing else does', () => {
  const methods = [
    ...methodsOf('RealtimeClient', RealtimeClient.prototype),
    ...methodsOf('RealtimeChannel', RealtimeChannel.prototype),
  ];
  expect(rows.map(({ method }) => method).sort()).toEqual(methods.sort());
});

test('each supported row of the table has a test', () => {
  const responded = rows.filter((row) => row.responded !== "the client's own");
  expect(responded.filter(({ proof }) => proof === undefined || !existsSync(join(import.meta.dirname, proof)))).toEqual(
    [],
  );
});

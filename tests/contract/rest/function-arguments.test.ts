import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

/** Functions of an operator's own. Each says which overload ran. */
beforeAll(async () => {
  await database.query(`
    create type public.spot as (shelf text, place int);
    create type public.find as (name text, at public.spot, tags text[]);
    create domain public.known_spot as public.spot check ((value).place > 0);
    create function public.spot_text(at public.spot) returns text immutable language sql
      as $$ select at.shelf || ' ' || at.place $$;
    create function public.find_json(found public.find) returns jsonb immutable language sql as 'select to_jsonb(found)';
    create function public.spots_json(spots public.spot[]) returns jsonb immutable language sql as 'select to_jsonb(spots)';
    create function public.known_json(at public.known_spot) returns jsonb immutable language sql as 'select to_jsonb(at)';
    create function public.each_spot(variadic spots public.spot[]) returns bigint immutable language sql
      as 'select count(*) from unnest(spots)';
    create function public.documents(many jsonb[]) returns jsonb immutable language sql as 'select to_jsonb(many)';
    create function public.exact(c char, b bit) returns text immutable language sql as $$ select c || '/' || b::text $$;

    create function public.whole(json) returns json immutable language sql as 'select $1';
    create function public.by_default(jsonb default '"default"') returns jsonb immutable language sql as 'select $1';
    create function public.given_text(text) returns text immutable language sql as 'select $1';
    create function public.given_bytes(bytea) returns text immutable language sql as $$ select encode($1, 'hex') $$;
    create function public.given_xml(xml) returns text immutable language sql as 'select $1::text';
    create function public.given_number(int) returns int immutable language sql as 'select $1';
    create function public.part(a int, jsonb default '{}') returns text immutable language sql as $$ select 'ran' $$;

    create function public.over() returns text immutable language sql as $$ select 'none' $$;
    create function public.over(x int, y int) returns text immutable language sql as $$ select 'x and y' $$;
    create function public.over(json) returns text immutable language sql as $$ select 'json ' || $1 $$;
    create function public.over(text) returns text immutable language sql as $$ select 'text ' || $1 $$;
    create function public.over(bytea) returns text immutable language sql as $$ select 'bytes ' || encode($1, 'hex') $$;

    create function public.preset(a int default 1) returns text immutable language sql as $$ select 'preset' $$;
    create function public.preset(jsonb) returns text immutable language sql as $$ select 'json' $$;
    create function public.preset_text() returns text immutable language sql as $$ select 'none' $$;
    create function public.preset_text(text default 'preset') returns text immutable language sql as $$ select 'text ' || $1 $$;
    create function public.preset_text(int default 1) returns text immutable language sql as $$ select 'int' $$;
    create function public.two_bodies(json) returns text immutable language sql as $$ select 'json' $$;
    create function public.two_bodies(jsonb) returns text immutable language sql as $$ select 'jsonb' $$;
    create function public.two_presets(a int, b int default 1) returns text immutable language sql as $$ select 'b' $$;
    create function public.two_presets(a int, c text default 'x') returns text immutable language sql as $$ select 'c' $$;
    grant execute on all functions in schema public to anon, authenticated;
    notify pgrst, 'reload schema';
  `);
});

const post = (name: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
  server.call(`/rpc/${name}`, { method: 'POST', body, headers: { 'Content-Type': type } });

describe('rows as arguments', () => {
  test('a row is a JSON object, with rows and lists in it', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('spot_text', { at: { shelf: 'A "1", (b)', place: 2 } })).data).toBe('A "1", (b) 2');
    const found = { name: 'Keys', at: { shelf: 'B', place: 3 }, tags: ['a', 'b,c', null] };
    expect((await visitor.rpc('find_json', { found })).data).toEqual(found);
    expect((await visitor.rpc('find_json', { found: { name: 'Keys' } })).data).toEqual({
      name: 'Keys',
      at: null,
      tags: null,
    });
    expect((await visitor.rpc('find_json', { found: null })).data).toBeNull();
  });

  test('lists of rows, also one element for each argument, and lists of JSON', async () => {
    const visitor = await server.client();
    const spots = [{ shelf: 'A', place: 1 }, { shelf: null, place: 2 }, null];
    expect((await visitor.rpc('spots_json', { spots })).data).toEqual(spots);
    expect((await visitor.rpc('spots_json', { spots: [] })).data).toEqual([]);
    expect((await visitor.rpc('each_spot', { spots })).data).toBe(3);
    const many = [{ a: 1 }, 'text', [null], 12, null];
    expect((await visitor.rpc('documents', { many })).data).toEqual(many);
    const exact = await post('documents', 'application/json', '{"many":[12345678901234567890]}');
    expect(exact.text).toBe('[12345678901234567890]');
  });

  test('PostgreSQL’s own literals are taken too, and by GET', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('spot_text', { at: '(A,1)' })).data).toBe('A 1');
    expect((await visitor.rpc('spots_json', { spots: '{"(A,1)"}' })).data).toEqual([{ shelf: 'A', place: 1 }]);
    expect((await server.call(`/rpc/spot_text?at=${encodeURIComponent('(A,1)')}`)).body).toBe('A 1');
    expect((await server.call('/rpc/each_spot?spots=(A,1)&spots=(B,2)')).body).toBe(2);
  });

  test('a value that does not fit is refused, and so is one that its domain refuses', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('spot_text', { at: { place: 'x' } })).error?.code).toBe('22P02');
    expect((await visitor.rpc('spot_text', { at: 7 })).error?.code).toMatch(/^22/);
    expect((await visitor.rpc('spots_json', { spots: { shelf: 'A' } })).error?.code).toBe('22P02');
    expect((await visitor.rpc('spot_text', { at: { shelf: 'a\0b' } })).status).toBe(400);
    expect((await visitor.rpc('known_json', { at: { place: 0 } })).error?.code).toBe('23514');
    expect((await visitor.rpc('known_json', { at: { place: 1 } })).data).toEqual({ shelf: null, place: 1 });
  });

  test('text and bits of any length are passed whole', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('exact', { c: 'abcdefg', b: '101010' })).data).toBe('abcdefg/101010');
  });
});

describe('one argument without a name', () => {
  test('JSON: the whole body, whatever it is', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('whole', { A: 1, B: [2] })).data).toEqual({ A: 1, B: [2] });
    for (const body of ['[1,2]', '"text"', '7', 'null'])
      expect((await post('whole', 'application/json', body)).text, body).toBe(body);
    expect((await visitor.rpc('by_default', { a: 1 })).data).toEqual({ a: 1 });
  });

  test('text, bytes and XML, as they are', async () => {
    expect((await post('given_text', 'text/plain', 'as "it" is – ✓')).body).toBe('as "it" is – ✓');
    expect((await post('given_text', 'Text/Plain; charset=utf-8', '{"a":1}')).body).toBe('{"a":1}');
    expect((await post('given_text', 'text/plain', '')).body).toBe('');
    expect((await post('given_bytes', 'application/octet-stream', Uint8Array.of(0, 255, 7))).body).toBe('00ff07');
    expect((await post('given_xml', 'text/xml', '<note><to>Jane</to></note>')).body).toBe('<note><to>Jane</to></note>');
    expect((await post('given_xml', 'text/xml', '<')).body).toMatchObject({ code: '2200N' });
  });

  test('a body of another kind finds no function', async () => {
    for (const [name, type, kind] of [
      ['given_number', 'text/plain', 'text'],
      ['given_bytes', 'text/plain', 'text'],
      ['whole', 'text/xml', 'xml'],
      ['given_text', 'application/octet-stream', 'bytea'],
      ['spot_text', 'text/plain', 'text'],
    ] as const) {
      const response = await post(name, type, 'x');
      expect([response.status, response.body], name).toEqual([
        404,
        {
          code: 'PGRST202',
          message: `Could not find the function public.${name} in the schema cache`,
          details: `Searched for the function public.${name} with a single unnamed ${kind} parameter, but no matches were found in the schema cache.`,
          hint: null,
        },
      ]);
    }
    const visitor = await server.client();
    expect((await visitor.rpc('given_text', { a: 1 })).error).toMatchObject({
      code: 'PGRST202',
      details:
        'Searched for the function public.given_text with parameter a or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
    });
    expect((await post('given_text', 'text/csv', 'a,b')).body).toMatchObject({ code: 'PGRST102' });
    expect((await server.call('/rpc/given_text?=x')).body.code).toBe('PGRST202');
  });

  test('JSON with the empty name of the argument is its whole body, and never a function without it', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('given_text', { '': 'x' })).data).toBe('{"":"x"}');
    expect((await visitor.rpc('whole', { '': 'x' })).data).toEqual({ '': 'x' });
    expect((await visitor.rpc('preset_text', { '': 'x' })).data).toBe('text {"":"x"}');
    expect((await visitor.rpc('given_number', { '': 7 })).error?.code).toBe('PGRST202');
    expect((await visitor.rpc('over', { '': 'x', y: 2 })).data).toBe('json {"":"x","y":2}');
  });

  test('a function that has other arguments as well is never called without it', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('part', { a: 1 })).error?.code).toBe('PGRST202');
    expect((await visitor.rpc('part', { a: 1, '': {} })).error?.code).toBe('PGRST202');
  });

  test('named arguments come first; a body without names never runs an overload that drops it', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('over')).data).toBe('none');
    expect((await visitor.rpc('over', { x: 1, y: 2 })).data).toBe('x and y');
    expect((await visitor.rpc('over', { A: 1 })).data).toBe('json {"A":1}');
    expect((await post('over', 'application/json', '[1]')).body).toBe('json [1]');
    expect((await post('over', 'text/plain', 'words')).body).toBe('text words');
    expect((await post('over', 'application/octet-stream', Uint8Array.of(1))).body).toBe('bytes 01');
    expect((await server.call('/rpc/over', { headers: { 'Content-Type': 'text/plain' } })).body).toBe('none');
    expect((await post('over', 'text/xml', '<a/>')).body.code).toBe('PGRST202');
    expect((await visitor.rpc('preset')).data).toBe('preset');
    for (const body of ['[1]', '"a"', '7', 'null', 'true'])
      expect((await post('preset', 'application/json', body)).body, body).toBe('json');
  });

  test('text that a page of another site could send without a preflight is refused', async () => {
    const simple = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    const response = await fetch(`${server.url}/rest/v1/rpc/given_text`, simple);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'PGRST102', message: 'Content-Type not acceptable: text/plain' },
    ]);
    expect((await post('given_text', 'text/plain', 'x')).body).toBe('x');
  });

  test('text that PostgreSQL cannot store, and more than 1 MiB, are refused', async () => {
    expect((await post('given_text', 'text/plain', 'a\0b')).body).toMatchObject({ code: 'PGRST102' });
    expect((await post('given_text', 'text/plain', Uint8Array.of(0xff))).body).toMatchObject({ code: 'PGRST102' });
    const large = Buffer.alloc(1_048_577, 'x');
    for (const [name, type] of [
      ['given_text', 'text/plain'],
      ['given_bytes', 'application/octet-stream'],
    ] as const)
      expect((await post(name, type, large)).status, name).toBe(413);
  });
});

describe('several functions that fit', () => {
  test.each([
    ['preset_text', {}, 'public.preset_text(), public.preset_text( => text)'],
    ['two_bodies', { a: 1 }, 'public.two_bodies( => json), public.two_bodies( => jsonb)'],
    [
      'two_presets',
      { a: 1 },
      'public.two_presets(a => integer, b => integer), public.two_presets(a => integer, c => text)',
    ],
  ])('%s is ambiguous', async (name, given, candidates) => {
    const { status, error } = await (await server.client()).rpc(name, given);
    expect([status, error]).toEqual([
      300,
      expect.objectContaining({
        code: 'PGRST203',
        message: `Could not choose the best candidate function between: ${candidates}`,
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      }),
    ]);
  });

  test('an argument that only one of them has decides', async () => {
    const visitor = await server.client();
    expect((await visitor.rpc('two_presets', { a: 1, b: 2 })).data).toBe('b');
    expect((await visitor.rpc('two_presets', { a: 1, c: 2 })).data).toBe('c');
  });
});

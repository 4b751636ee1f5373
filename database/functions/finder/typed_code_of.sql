-- The typed code of a tag code, without hyphens: the first 75 bits of a hash in Crockford's base 32, and the check
-- character. The same as typedCodeOf in domain/tag-code/typed-code.ts.
create or replace function internal.typed_code_of(qr_id_param text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    with hashed as (
      select pg_catalog.sha256(pg_catalog.convert_to('typed code:' || qr_id_param, 'UTF8')) as digest
    ), bits as (
      select ('x' || pg_catalog.encode(pg_catalog.substr(digest, 1, 10), 'hex'))::bit(80) as eighty from hashed
    ), own_values as (
      select place, pg_catalog.substring(eighty, 5 * place - 4, 5)::integer as value
        from bits, pg_catalog.generate_series(1, 15) as place
    )
    -- The check character: the sum in GF(32), with x^5 + x^2 + 1, of each value times the power of its place. The array
    -- holds the powers of the generator, from 0 to 30.
    select pg_catalog.string_agg(pg_catalog.substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', value + 1, 1), '' order by place)
        || pg_catalog.substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + pg_catalog.bit_xor(case value when 0 then 0 else
          powers.elements[1 + (pg_catalog.array_position(powers.elements, value) - 1 + place) % 31] end), 1)
      from own_values, (values (array[
        1, 2, 4, 8, 16, 5, 10, 20, 13, 26, 17, 7, 14, 28, 29, 31, 27, 19, 3, 6, 12, 24, 21, 15, 30, 25, 23, 11, 22, 9, 18
      ])) as powers (elements)
  $$;

-- kind: compatible
-- Every tag code has a typed code: 16 characters that a finder can read aloud and type.

-- The typed code of a tag code, without hyphens: the first 75 bits of a hash in Crockford's base 32, and the check
-- character. The same as typedCodeOf in domain/tag-code/typed-code.ts.
create function internal.typed_code_of(qr_id_param text) returns text
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

create table internal.typed_codes (
  typed_code text collate "C" primary key,
  qr_id text not null unique references public.qr_codes on delete cascade
);
alter table internal.typed_codes enable row level security;
alter table internal.typed_codes force row level security;
grant select, insert, delete on table internal.typed_codes to service_role;
comment on table internal.typed_codes is 'The tag code that a typed code leads to. Removed with its tag code.';

create function internal.give_typed_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- Two tag codes share a typed code once in 10^13 pairs of 75 bits. The first keeps it.
  insert into internal.typed_codes (typed_code, qr_id)
    values (internal.typed_code_of(new.qr_id), new.qr_id)
    on conflict do nothing;
  return null;
end
$$;
create trigger qr_codes_give_typed_code after insert on public.qr_codes
  for each row execute function internal.give_typed_code();

-- Codes from before this migration get theirs in batches, by a job (server/jobs/give-typed-codes.ts). The row says how
-- far it has come, and is gone once all codes have one.
create table internal.typed_code_progress (after text primary key);
alter table internal.typed_code_progress enable row level security;
alter table internal.typed_code_progress force row level security;
grant select, update, delete on table internal.typed_code_progress to service_role;
insert into internal.typed_code_progress (after) select '' where exists (select from public.qr_codes);

-- The tag code with this typed code, which is given in capitals, with or without hyphens; null where there is none.
create function public.find_typed_code(typed_code_param text) returns text
  language sql stable security definer
  set search_path = ''
  as $$ select qr_id from internal.typed_codes where typed_code = pg_catalog.replace(typed_code_param, '-', '') $$;

grant create on schema public, internal to service_role;
alter function public.find_typed_code(text) owner to service_role;
alter function internal.give_typed_code() owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function public.find_typed_code(text) to anon, authenticated, service_role;
grant execute on function internal.typed_code_of(text) to service_role;

-- kind: compatible
-- Owners make blank stickers (docs/decisions/0083-blank-stickers.md): codes that are theirs and have no item yet.

-- A code as the client generates it: 96 bits from the cryptographic generator behind gen_random_uuid.
create function internal.new_tag_code() returns text
  language sql volatile
  set search_path = ''
  as $$
    select 'tgt-' || translate(left(encode(sha256(
      uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    ), 'base64'), 16), '+/', '-_')
  $$;

-- As before, with the generator.
create or replace function public.claim_new_code() returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  caller uuid := auth.uid();
  code text := internal.new_tag_code();
begin
  if caller is null then
    raise exception 'A code is claimed by somebody signed in' using errcode = '42501';
  end if;
  insert into public.qr_codes (qr_id, owner_id, claimed_at) values (code, caller, now());
  perform public.register_qr_code(code, caller);
  return code;
end
$$;

-- The caller's codes that work and have no item, in the order in which they were made. Those that were made together have
-- one time.
create function public.list_blank_codes() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(
        jsonb_agg(jsonb_build_object('qr_id', code.qr_id, 'made_at', code.claimed_at) order by code.claimed_at, code.qr_id),
        '[]'
      )
      from public.qr_codes as code
      where code.owner_id = (select auth.uid()) and code.stands_for is null and code.voided_at is null
        and not exists (select from public.items as item where item.qr_id = code.qr_id)
  $$;

-- Makes codes for blank stickers of the caller's, and returns all that they have. An account has 100 at most.
create function public.make_blank_codes(count_param integer) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_blank constant integer := 100;
  most_items integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  caller uuid := (select auth.uid());
begin
  if caller is null then
    raise exception 'Codes are made by somebody signed in' using errcode = '42501';
  end if;
  if count_param is null or count_param not between 1 and most_blank then
    raise exception 'Between 1 and % codes are made at once', most_blank using errcode = '22023';
  end if;
  -- Of two calls at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('codes of ' || caller, 0));
  if jsonb_array_length(public.list_blank_codes()) + count_param > most_blank then
    raise exception 'An account has at most % blank codes', most_blank using errcode = 'PT413';
  end if;
  insert into public.qr_codes (qr_id, owner_id, claimed_at)
    select internal.new_tag_code(), caller, now() from generate_series(1, count_param);
  if exists (select from public.qr_codes where owner_id = caller offset 2 * most_items limit 1) then
    raise exception 'The account has no room left for so many codes' using errcode = 'PT413';
  end if;
  return public.list_blank_codes();
end
$$;

-- Frees codes of the caller's that have no item, such as those of a sheet that was lost. All others stay as they are.
create function public.discard_blank_codes(qr_ids_param text[]) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if cardinality(qr_ids_param) > 100 then
    raise exception 'At most 100 codes are discarded at once' using errcode = '22023';
  end if;
  -- In one order. Who tags or attaches one of them in this moment comes first or second.
  perform from public.qr_codes
    where qr_id = any (qr_ids_param) and owner_id = (select auth.uid()) order by qr_id for update;
  perform internal.free_codes(array(
    select blank ->> 'qr_id' from jsonb_array_elements(public.list_blank_codes()) as blank
      where blank ->> 'qr_id' = any (qr_ids_param)
  ));
end
$$;

grant create on schema public to service_role;
alter function public.make_blank_codes(integer) owner to service_role;
alter function public.discard_blank_codes(text[]) owner to service_role;
revoke create on schema public from service_role;
grant execute on function internal.new_tag_code() to service_role;
grant execute on function public.list_blank_codes(), public.make_blank_codes(integer), public.discard_blank_codes(text[])
  to authenticated, service_role;

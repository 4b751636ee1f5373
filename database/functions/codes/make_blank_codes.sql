-- Makes codes for blank stickers of the caller's, and returns all that they have. An account has 100 at most. Repeating
-- the request makes no more.
create or replace function public.make_blank_codes(count_param integer, request_id_param uuid default gen_random_uuid()) returns jsonb
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
  if exists (select from public.qr_codes where owner_id = caller and request_id = request_id_param) then
    return public.list_blank_codes();
  end if;
  if jsonb_array_length(public.list_blank_codes()) + count_param > most_blank then
    raise exception 'An account has at most % blank codes', most_blank using errcode = 'PT413';
  end if;
  insert into public.qr_codes (qr_id, owner_id, claimed_at, request_id)
    select internal.new_tag_code(), caller, now(), request_id_param from generate_series(1, count_param);
  if exists (select from public.qr_codes where owner_id = caller offset 2 * most_items limit 1) then
    raise exception 'The account has no room left for so many codes' using errcode = 'PT413';
  end if;
  return public.list_blank_codes();
end
$$;

grant execute on function public.make_blank_codes(integer, uuid) to authenticated;

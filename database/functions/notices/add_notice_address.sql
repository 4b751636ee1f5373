-- Adds an address of the caller's, and returns its id and kind. An account has 5. Needs a recent proof.
create or replace function public.add_notice_address(
  kind_param text, name_param text, url_param text, token_param text default null, shows_text_param boolean default false
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_addresses constant integer := 5;
  caller uuid := (select auth.uid());
  added public.notice_addresses;
begin
  -- Addresses of one account are counted one after another.
  perform from public.profiles where id = caller for no key update;
  if not found then
    raise exception 'Only an account has notice addresses' using errcode = '42501';
  end if;
  if (select count(*) from public.notice_addresses where user_id = caller) >= most_addresses then
    raise exception 'An account has at most % notice addresses', most_addresses using errcode = 'PT409';
  end if;
  insert into public.notice_addresses (user_id, kind, name, url, token, shows_text)
    values (caller, kind_param, internal.trim_blanks(name_param), url_param, nullif(token_param, ''), coalesce(shows_text_param, false))
    returning * into added;
  return jsonb_build_object('id', added.id, 'kind', added.kind);
end
$$;

grant execute on function public.add_notice_address(text, text, text, text, boolean) to authenticated;

-- The address behind a contact method, for the one response that may carry it: the redirect of a visitor who chose it.
-- Null where it is closed, and for a void code. The choice is recorded, so that the owner sees it; the item stays until
-- it is.
create or replace function internal.open_channel(qr_id_param text, channel_param text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  owner public.profiles;
  address text;
begin
  if internal.is_void(qr_id_param) then
    return null;
  end if;
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  end if;
  select * into owner from public.profiles where id = item.user_id;
  address := case channel_param
    when 'whatsapp' then case when coalesce(item.whatsapp_enabled, owner.whatsapp_enabled) then owner.phone end
    when 'call' then case when coalesce(item.call_enabled, owner.call_enabled) then owner.phone end
    when 'email' then case when coalesce(item.email_enabled, owner.email_enabled) then owner.email end
  end;
  if address is not null then
    insert into public.channel_openings (item_id, owner_id, channel) values (item.id, item.user_id, channel_param);
  end if;
  return address;
end
$$;

-- kind: compatible
-- A contact method that a finder opens while the owner deletes the item is reported as closed. Before, the foreign key
-- refused the opening, and the finder was told that the service had failed.

-- As before, but the item stays until its opening is recorded.
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

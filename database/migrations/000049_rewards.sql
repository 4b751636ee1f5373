-- kind: compatible
-- The reward that an owner names for an item. Finders see it. It is a text: no money goes through the service.

alter table public.items add column reward text
  constraint items_reward_check check (char_length(reward) <= 100);
comment on column public.items.reward is 'What the owner promises to the finder, as one line of text.';
grant insert (reward), update (reward) on public.items to authenticated;

-- As before, and the reward, which is one line like a name.
create or replace function internal.clean_item() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.item_name := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.item_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.reward := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.reward, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.description := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.description, '\r\n?', E'\n', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.note_to_finders := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.note_to_finders, '\r\n?', E'\n', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  return new;
end
$$;

drop trigger items_clean on public.items;
create trigger items_clean before insert or update of item_name, description, note_to_finders, reward on public.items
  for each row execute function internal.clean_item();

-- As before, and the reward.
create or replace function public.find_item(qr_id_param text)
 returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
begin
  select jsonb_build_object(
      'item_type', item.item_type,
      'item_name', item.item_name,
      'photo', '/storage/v1/object/public/item-photos/' || item.photo,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', item.note_to_finders,
      'reward', item.reward,
      'lost', item.lost_at is not null,
      'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and coalesce(item.whatsapp_enabled, owner.whatsapp_enabled),
        'call', owner.phone is not null and coalesce(item.call_enabled, owner.call_enabled),
        'email', owner.email is not null and coalesce(item.email_enabled, owner.email_enabled),
        'message', coalesce(item.message_enabled, owner.message_enabled, true)
      )
    )
    into found_item
    from public.items as item
    left join public.profiles as owner on owner.id = item.user_id
    where item.qr_id = qr_id_param;
  if found_item is not null then
    return found_item;
  end if;

  -- Claimed, and nothing is tagged with it yet: the shape of the item that its owner would get.
  select jsonb_build_object(
      'item_type', 'other',
      'item_name', 'My Tagged Item',
      'photo', null,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', null,
      'reward', null,
      'lost', false,
      'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and owner.whatsapp_enabled,
        'call', owner.phone is not null and owner.call_enabled,
        'email', owner.email is not null and owner.email_enabled,
        'message', coalesce(owner.message_enabled, true)
      )
    )
    into found_item
    from public.qr_codes as code
    left join public.profiles as owner on owner.id = code.owner_id
    where code.qr_id = qr_id_param and code.owner_id is not null;
  return found_item;
end
$$;

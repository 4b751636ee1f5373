-- kind: compatible
-- A finder is told when the owner has no phone number and no email address; an owner, how many emails went to an address
-- that is not confirmed.

-- As before, and whether the owner has any contact details. A profile that is missing is made again, and not judged.
create or replace function public.find_item(qr_id_param text) returns jsonb
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

-- How many messages were counted for the caller's unconfirmed address. The first few were emailed
-- (domain/account/unproved-notices.ts); the rest wait in the account.
create function public.count_unproved_notices() returns integer
  language sql stable security definer
  set search_path = ''
  as $$ select pg_catalog.count(*)::integer from internal.unproved_notices where user_id = (select auth.uid()) $$;

grant create on schema public to service_role;
alter function public.count_unproved_notices() owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.count_unproved_notices() to authenticated, service_role;

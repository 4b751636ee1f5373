-- All that a finder may know of an item, by any of its codes. Null for a void code and for one without an item. A
-- claimed code without an item shows its owner, and nothing that an item of theirs would not show. The only read that
-- needs no account.
create or replace function public.find_item(qr_id_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
  item_code text := qr_id_param;
begin
  perform internal.require_look_up(qr_id_param);
  -- First as an item's own code, then as a further one: most scans take one look-up.
  for look_up in 1..2 loop
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
      where item.qr_id = item_code
        and not exists (
          select from public.qr_codes as code where code.qr_id = qr_id_param and code.voided_at is not null
        );
    if found_item is not null then
      return found_item;
    end if;
    select stands_for into item_code from public.qr_codes where qr_id = qr_id_param;
    exit when item_code is null;
  end loop;

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
    where code.qr_id = qr_id_param and code.owner_id is not null and code.voided_at is null;
  if found_item is null then
    perform internal.note_look_up('miss', qr_id_param);
  end if;
  return found_item;
end
$$;

grant execute on function public.find_item(text) to anon, authenticated;

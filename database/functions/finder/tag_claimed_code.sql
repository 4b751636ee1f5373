-- Makes the item of a claimed code when a finder first needs one: what a finder writes and does belongs to an item.
-- Returns whether the code has one then; false for a code that is not claimed, or void.
create or replace function internal.tag_claimed_code(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.items (qr_id, user_id, item_type, item_name)
    select qr_id, owner_id, 'other', 'My Tagged Item'
      from public.qr_codes
      where qr_id = qr_id_param and owner_id is not null and voided_at is null;
  if not found then
    return false;
  end if;
  -- A finder has its sticker.
  update public.qr_codes set was_scanned = true where qr_id = qr_id_param and not was_scanned;
  return true;
exception
  when unique_violation then
    -- Somebody tagged it in the same moment.
    return true;
  when invalid_parameter_value then
    -- Somebody voided it in the same moment.
    return false;
end
$$;

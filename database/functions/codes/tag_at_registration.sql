-- Runs inside the transaction that confirms an account: the code in hand at registration becomes the first item.
-- Returns whether it did; a code that somebody else has, or that has an item, is left as it is.
create or replace function internal.tag_at_registration(user_id_param uuid, qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.items (qr_id, user_id, item_type, item_name, description)
    values (qr_id_param, user_id_param, 'other', 'My Tagged Item', 'Item tagged during registration');
  -- They came by its sticker.
  update public.qr_codes set was_scanned = true where qr_id = qr_id_param;
  return true;
exception when unique_violation or invalid_parameter_value or check_violation then
  return false;
end
$$;

-- A new item claims its code, which must not be a further code of another item.
create or replace function internal.claim_code_of_new_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- The policy of the table, which is asked after this trigger, refuses the row. Whether there is such an account, or
  -- such a code, must not matter before that.
  if auth.role() = 'authenticated' and new.user_id is distinct from auth.uid() then
    return new;
  end if;
  -- The row lock that claiming takes must come before the look for an item: two taggers then meet here, one after the other.
  begin
    perform internal.claim_code(new.qr_id, new.user_id);
  exception when unique_violation then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end;
  if exists (select from public.items where qr_id = internal.own_code_of_item(new.qr_id)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$$;

-- An account with a proved number changes it with a code, not by writing another one into the profile.
create or replace function internal.keep_proved_phone() returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from auth.users
      where id = new.id and phone is not null and phone_confirmed_at is not null and '+' || phone is distinct from new.phone
  ) then
    raise exception 'A proved phone number is changed with a code' using errcode = '42501';
  end if;
  -- Finders call this one, and nobody has proved it.
  if new.id = (select auth.uid()) then
    perform internal.make_lasting_change('contact_number_changed', new.id, new.phone);
  end if;
  return new;
end
$$;

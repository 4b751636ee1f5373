-- The number that an account has proved is the one that its finders reach.
create or replace function internal.follow_phone_of_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.profiles set phone = '+' || new.phone where id = new.id and phone is distinct from '+' || new.phone;
  return null;
end
$$;

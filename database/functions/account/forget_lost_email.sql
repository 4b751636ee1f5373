create or replace function internal.forget_lost_email() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.lost_email_hash := null;
  return new;
end
$$;

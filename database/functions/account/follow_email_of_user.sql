-- The address that an account shows, proved or not, is the one that its finders may write to.
create or replace function internal.follow_email_of_user()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  update public.profiles set email = coalesce(new.email, new.claimed_email), email_refused_at = null
    where id = new.id and email is distinct from coalesce(new.email, new.claimed_email);
  return null;
end
$$;

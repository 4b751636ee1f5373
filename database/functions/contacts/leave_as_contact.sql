-- Ends what the owner asked for. The contact's links open nothing more of the owner.
create or replace function internal.leave_as_contact(token_hash_param bytea) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.second_contacts as contact
    set left_at = coalesce(contact.left_at, now()), quiet_from = null, quiet_to = null, time_zone = null, language = null
    from internal.contact_links as link
    where link.token_hash = token_hash_param and contact.id = link.contact_id;
  return found;
end
$$;

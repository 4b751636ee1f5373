-- Returns whether the link is that of an invitation which holds. An account that is deleted has none.
create or replace function internal.agree_as_contact(token_hash_param bytea) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.second_contacts as contact set agreed_at = coalesce(contact.agreed_at, now())
    from internal.contact_links as link
    where link.token_hash = token_hash_param and link.conversation_id is null and contact.id = link.contact_id
      and contact.left_at is null
      and exists (select from auth.users where id = contact.owner_id and deleted_at is null);
  return found;
end
$$;

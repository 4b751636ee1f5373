-- Stores the language of the page that a second contact uses, in which they are written to from now on.
create or replace function internal.note_contact_language(token_hash_param bytea, language_param text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.second_contacts as contact set language = language_param
    from internal.contact_links as link
    where link.token_hash = token_hash_param and contact.id = link.contact_id
      and contact.left_at is null and contact.language is distinct from language_param;
  return found;
end
$$;

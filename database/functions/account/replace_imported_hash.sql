-- Replaces the hash that another service made by one of ours of the same password. The setting tells the triggers of
-- auth.users that the password is no other one.
create or replace function internal.replace_imported_hash(user_id_param uuid, imported_param text, made_param text)
  returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  -- Not as a clause of the function: only a superuser could create it.
  perform pg_catalog.set_config('internal.same_password', 'on', true);
  update auth.users set encrypted_password = made_param
    where id = user_id_param and encrypted_password = imported_param;
  perform pg_catalog.set_config('internal.same_password', '', true);
end
$$;

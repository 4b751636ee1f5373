create or replace function internal.keep_block() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into internal.blocked_keys (owner_id, key_hash)
    select old.owner_id, known.key_hash
      from (
        select old.finder_key_hash as key_hash where old.finder_key_hash is not null
        union
        select key_hash from internal.return_keys where conversation_id = old.id
      ) as known
      -- With the account, everything of it is deleted.
      where exists (select from auth.users where id = old.owner_id)
    on conflict do nothing;
  return old;
end
$$;

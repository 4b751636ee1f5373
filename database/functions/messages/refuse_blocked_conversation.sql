create or replace function internal.refuse_blocked_conversation() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from internal.blocked_keys where owner_id = new.owner_id and key_hash = new.finder_key_hash
  ) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  return null;
end
$$;

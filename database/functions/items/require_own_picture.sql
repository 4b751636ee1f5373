-- A picture that is shown is there, and is its owner's. Arguments: bucket, the column with the name, the column with
-- the owner.
create or replace function internal.require_own_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- Held until the transaction ends, so that it cannot be taken down meanwhile.
  perform from storage.objects
    where bucket_id = tg_argv[0] and name = to_jsonb(new) ->> tg_argv[1] and owner = (to_jsonb(new) ->> tg_argv[2])::uuid
    for key share;
  if not found then
    raise exception 'There is no such picture of yours' using errcode = '23503';
  end if;
  return new;
end
$$;

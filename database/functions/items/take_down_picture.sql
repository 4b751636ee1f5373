-- A picture that is shown no longer is gone. The same arguments as of `require_own_picture`.
create or replace function internal.take_down_picture() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  delete from storage.objects where bucket_id = tg_argv[0] and name = to_jsonb(old) ->> tg_argv[1];
  return null;
end
$$;

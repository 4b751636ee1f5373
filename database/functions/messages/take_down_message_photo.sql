create or replace function internal.take_down_message_photo()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $$
begin
  delete from storage.objects where bucket_id = 'message-photos' and name = old.id || '.webp';
  return null;
end
$$;

-- A picture that was removed by itself, by an operator for instance, is shown no longer.
create or replace function internal.forget_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
begin
  update public.items set photo = null where old.bucket_id = 'item-photos' and photo = old.name;
  update public.profiles set avatar = null where old.bucket_id = 'avatars' and avatar = old.name;
  update public.messages set photo = false
    where old.bucket_id = 'message-photos' and id = case
      when old.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp$' then left(old.name, 36)::uuid
    end;
  return null;
end
$$;

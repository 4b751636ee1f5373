create or replace function internal.enqueue_message_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_notice(address.id, new.id)
    from public.notice_addresses as address
    where address.user_id = new.owner_id and address.ended_at is null;
  return null;
end
$$;

-- Enqueues a push to each browser of an owner who wants pushes.
create or replace function internal.enqueue_message_pushes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_push(subscription.id, new.id)
    from public.push_subscriptions as subscription
    where subscription.user_id = new.owner_id and subscription.ended_at is null
      and not exists (
        select from public.notice_settings as settings where settings.user_id = new.owner_id and not settings.push
      );
  return null;
end
$$;

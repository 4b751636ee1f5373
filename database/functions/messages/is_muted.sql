create or replace function internal.is_muted(conversation_id_param uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.conversations
        where id = conversation_id_param and (muted_at is not null or blocked_at is not null)
    )
  $$;

alter function internal.is_muted(uuid) owner to service_role;

-- kind: compatible
-- A blocked conversation sends no notices, nor do its earlier messages whose notices are still queued.

create or replace function internal.is_muted(conversation_id_param uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.conversations
        where id = conversation_id_param and (muted_at is not null or blocked_at is not null)
    )
  $$;

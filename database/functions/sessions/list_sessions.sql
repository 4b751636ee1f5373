-- The caller's sessions, the newest use first. A session is used at the latest when its tokens are refreshed.
create or replace function public.list_sessions() returns table (
    id uuid, created_at timestamptz, last_used_at timestamptz, device text, aal text, is_current boolean
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select session.id, session.created_at, coalesce(session.refreshed_at, session.created_at), session.device,
        session.aal, session.id::text = (select auth.jwt()) ->> 'session_id'
      from auth.sessions as session
      where session.user_id = (select auth.uid())
        and (session.not_after is null or session.not_after > pg_catalog.now())
      order by 3 desc, 1
  $$;

grant execute on function public.list_sessions() to authenticated;

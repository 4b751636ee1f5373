create or replace function public.end_session(session_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  own uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
begin
  delete from auth.sessions where id = session_id_param and user_id = (select auth.uid());
  if not found then
    raise exception 'There is no such session' using errcode = 'PT404';
  end if;
  if session_id_param is distinct from own then
    perform internal.record_event('signed_out_elsewhere', (select auth.uid()), own);
    perform internal.enqueue_change_notice('signed_out_elsewhere', (select auth.uid()), own);
  end if;
end
$$;

grant execute on function public.end_session(uuid) to authenticated;

-- Takes from the caller's account what list_added_identifiers says can go: `email`, `phone`, or `contact_number`.
-- Errors: PT403 the proof is too old, PT404 there is none that can go.
create or replace function public.remove_added_identifier(kind_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  former text;
begin
  perform internal.require_recent_proof();
  perform from auth.users where id = (select auth.uid()) for update;
  select name into former from internal.list_added_identifiers((select auth.uid())) where kind = kind_param;
  if not found then
    raise exception 'Nothing of this kind can be removed' using errcode = 'PT404';
  end if;
  if kind_param = 'contact_number' then
    update public.profiles set phone = null where id = (select auth.uid());
    return;
  end if;
  perform internal.remove_identifier((select auth.uid()), kind_param);
  perform internal.enqueue_change_notice(
    kind_param || '_removed', (select auth.uid()), ((select auth.jwt()) ->> 'session_id')::uuid, former
  );
end
$$;

grant execute on function public.remove_added_identifier(text) to authenticated;

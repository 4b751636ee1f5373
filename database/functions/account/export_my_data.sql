-- Everything that the service keeps about the caller, and nothing of anybody else. Secrets are left out: what they
-- are is of no use to their owner, and of much to whoever finds the file.
create or replace function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  if (select auth.uid()) is null then
    return null;
  end if;
  perform internal.require_recent_proof();
  return public.export_account((select auth.uid()));
end
$$;

grant execute on function public.export_my_data() to authenticated;

-- The caller's codes that work and have no item, in the order in which they were made. Those that were made together have
-- one time.
create or replace function public.list_blank_codes() returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(
        jsonb_agg(jsonb_build_object('qr_id', code.qr_id, 'made_at', code.claimed_at) order by code.claimed_at, code.qr_id),
        '[]'
      )
      from public.qr_codes as code
      where code.owner_id = (select auth.uid()) and code.stands_for is null and code.voided_at is null
        and not exists (select from public.items as item where item.qr_id = code.qr_id)
  $$;

grant execute on function public.list_blank_codes() to authenticated;

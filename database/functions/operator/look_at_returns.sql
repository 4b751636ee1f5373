-- For operators: how many items are tagged, what finders wrote, and what came back, in all and in the last 30 days. The
-- median is of the seconds from a conversation's beginning until its owner has the item back. Only counts.
create or replace function public.look_at_returns() returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  month constant timestamptz := now() - interval '30 days';
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'returns');
  return (
    select jsonb_build_object(
        'accounts', (select count(*) from auth.users where confirmed_at is not null and deleted_at is null),
        'tagged', jsonb_build_array(count(*), count(*) filter (where created_at > month)),
        'messages', (
          select jsonb_build_array(count(*), count(*) filter (where created_at > month))
            from public.messages where sender = 'finder'
        ),
        'returned', (
          select jsonb_build_array(count(*), count(*) filter (where returned_at > month))
            from public.conversations where returned_at is not null
        ),
        'median_seconds', (
          select jsonb_build_array(
              percentile_cont(0.5) within group (order by taken),
              percentile_cont(0.5) within group (order by taken) filter (where returned_at > month)
            )
            from (
              select returned_at, extract(epoch from returned_at - created_at) as taken
                from public.conversations where returned_at is not null
            ) as returned
        )
      )
      from public.items where given_at is null
  );
end
$$;

grant execute on function public.look_at_returns() to authenticated;

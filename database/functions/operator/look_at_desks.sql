-- For operators: the hand-in desks in their order. All of it is public; the look is noted as every look of the console.
create or replace function public.look_at_desks() returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'desks');
  return (
    select coalesce(jsonb_agg(to_jsonb(desk) - 'created_at' - 'removed_at' order by desk.position, desk.id), '[]')
      from public.desks as desk where desk.removed_at is null
  );
end
$$;

grant execute on function public.look_at_desks() to authenticated;

-- For operators: takes a desk off finders' pages. Returns whether it was there. Messages that name it keep it.
create or replace function public.remove_desk(desk_id_param uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  is_removed boolean;
begin
  perform internal.require_operator();
  update public.desks set removed_at = now() where id = desk_id_param and removed_at is null;
  is_removed := found;
  perform internal.note_operator('operator_acted', 'remove_desk');
  perform pg_notify('desks_changed', '');
  return is_removed;
end
$$;

grant execute on function public.remove_desk(uuid) to authenticated;

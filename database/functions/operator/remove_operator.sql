-- Returns whether the account had the role. It is refused from then on, in sessions that are open, too.
create or replace function public.remove_operator(user_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  perform set_config('reunite.by_operator', 'on', true);
  delete from internal.operators where user_id = user_id_param;
  return found;
end
$$;

-- Returns whether the account did not have the role. Errors: 23503 no such account.
create or replace function public.add_operator(user_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  perform set_config('reunite.by_operator', 'on', true);
  insert into internal.operators (user_id) values (user_id_param) on conflict do nothing;
  return found;
end
$$;

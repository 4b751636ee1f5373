-- Returns whether the account did not have the role. A link that another operator made to it before no longer works. Errors: 23503 no such account.
create or replace function public.add_operator(user_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
begin
  perform set_config('reunite.by_operator', 'on', true);
  delete from auth.one_time_tokens where user_id = user_id_param and token_type in ('confirmation', 'invite', 'recovery');
  insert into internal.operators (user_id) values (user_id_param) on conflict do nothing;
  return found;
end
$$;

-- For operators: `disable` ends an account's sessions and keeps it out, `enable` lets it in again, `end_sessions` signs
-- it out everywhere, `delete` deletes it with all it has, and `send_link` only notes that a link is asked for. An
-- operator's account is neither disabled nor deleted: its role is removed first, on the command line.
-- Errors: 22023 no such act, PT404 no such account, PT409 an operator's account.
create or replace function public.act_on_account(user_id_param uuid, act_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.require_operator();
  perform from auth.users where id = user_id_param and deleted_at is null for update;
  if not found then
    raise exception 'There is no such account' using errcode = 'PT404';
  end if;
  if act_param in ('disable', 'delete') and exists (select from internal.operators where user_id = user_id_param) then
    raise exception 'This is an operator''s account' using errcode = 'PT409';
  end if;
  perform internal.note_operator('operator_acted', act_param, user_id_param);
  case act_param
    when 'disable' then
      update auth.users set banned_until = now() + interval '100 years' where id = user_id_param;
      delete from auth.sessions where user_id = user_id_param;
    when 'enable' then
      update auth.users set banned_until = null where id = user_id_param;
    when 'end_sessions' then
      delete from auth.sessions where user_id = user_id_param;
    when 'delete' then
      delete from auth.users where id = user_id_param;
    when 'send_link' then
      null;
    else
      raise exception 'There is no such act' using errcode = '22023';
  end case;
end
$$;

grant execute on function public.act_on_account(uuid, text) to authenticated;

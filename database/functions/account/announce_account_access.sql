-- Every server asks again what an account may do, wherever it remembers an answer.
create or replace function internal.announce_account_access() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then pg_catalog.to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then pg_catalog.to_jsonb(new) end;
begin
  perform pg_catalog.pg_notify('account_access_changed',
    coalesce(after, before) ->> case tg_table_name when 'users' then 'id' else 'user_id' end);
  return null;
end
$$;

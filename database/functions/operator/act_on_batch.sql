-- For operators: `void` with a reason, or `restore`. Returns how many codes are void, or work again. Codes of accounts
-- are left as they are unless `claimed_too`. Errors: 22023 no such act, or no reason; PT404 no such batch.
create or replace function public.act_on_batch(
  batch_id_param uuid, act_param text, reason_param text default null, claimed_too_param boolean default false
) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  reason constant text := nullif(btrim(reason_param), '');
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_acted', act_param || '_batch', null, reason);
  case act_param
    when 'void' then
      if reason is null then
        raise exception 'This needs a reason' using errcode = '22023';
      end if;
      return (public.void_batch(batch_id_param, reason, claimed_too_param) ->> 'voided')::integer;
    when 'restore' then
      return public.restore_batch(batch_id_param);
    else
      raise exception 'There is no such act' using errcode = '22023';
  end case;
end
$$;

grant execute on function public.act_on_batch(uuid, text, text, boolean) to authenticated;

-- For operators: `close`, `take_down` with a reason for the owner, or `put_back`. Returns `done`, or why it was not: of
-- `take_page_down` its own words, otherwise `unchanged`. Errors: 22023 no such act, or no reason.
create or replace function public.act_on_report(report_id_param uuid, act_param text, reason_param text default null)
  returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  reason constant text := nullif(btrim(reason_param), '');
  outcome text;
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_acted', act_param || '_report',
    (select owner_then from internal.reports where id = report_id_param), reason);
  case act_param
    when 'close' then
      return case when public.close_report(report_id_param) then 'done' else 'unchanged' end;
    when 'put_back' then
      return case when public.put_page_back(report_id_param) then 'done' else 'unchanged' end;
    when 'take_down' then
      if reason is null then
        raise exception 'This needs a reason' using errcode = '22023';
      end if;
      outcome := public.take_page_down(report_id_param, reason);
      return case outcome when 'taken_down' then 'done' else outcome end;
    else
      raise exception 'There is no such act' using errcode = '22023';
  end case;
end
$$;

grant execute on function public.act_on_report(uuid, text, text) to authenticated;

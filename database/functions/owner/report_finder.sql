-- Stores the caller's report of the finder of a conversation of theirs. The same one again is counted, and so is one beyond 20
-- open ones of the same kind about the same conversation. The finder learns nothing of it.
create or replace function public.report_finder(conversation_id_param uuid, kind_param text, body_param text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  caller uuid := (select auth.uid());
  trimmed text := nullif(internal.trim_message(body_param), '');
  code text;
  alike uuid[];
begin
  if kind_param is null or kind_param not in ('harassment', 'fraud', 'spam', 'other') then
    raise exception 'A finder is not reported for this' using errcode = '22023';
  end if;
  if char_length(trimmed) > 500 then
    raise exception 'A report has at most 500 characters' using errcode = '22023';
  end if;
  -- Of two retries at once the second must see the first.
  select item.qr_id into code
    from public.conversations as conversation
    join public.items as item on item.id = conversation.item_id
    where conversation.id = conversation_id_param and conversation.owner_id = caller and item.user_id = caller
      and item.given_at is null
    for no key update of conversation;
  if not found then
    raise exception 'No conversation of yours has this id' using errcode = 'PT404';
  end if;
  alike := array(
    select id from internal.reports
      where conversation_id = conversation_id_param and kind = kind_param and reported_by = caller and closed_at is null
      order by body is not distinct from trimmed desc, created_at, id
      limit 20
  );
  update internal.reports set repeats = repeats + 1
    where id = alike[1] and (cardinality(alike) = 20 or body is not distinct from trimmed);
  if not found then
    insert into internal.reports (kind, qr_id, body, owner_then, reported_by, conversation_id)
      values (kind_param, code, trimmed, caller, caller, conversation_id_param);
  end if;
end
$$;

grant execute on function public.report_finder(uuid, text, text) to authenticated;

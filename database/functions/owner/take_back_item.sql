drop function if exists public.take_back_item(uuid, uuid);
drop function if exists public.take_back_item(uuid, uuid, boolean, boolean, text, uuid, uuid);
-- The caller has the item back. With a conversation, it was this finder; without one, every conversation about the item
-- ends. The note and the reward are cleared if asked, and thanks are sent as a reply in one conversation, the one that
-- ends if no other is named. All of it happens or nothing. Repeating it changes nothing: once the thanks are stored, also
-- where a finder has written since. Empty thanks are the phrase, which each finder reads in their own language. Errors: PT404 no such
-- item or conversation of the caller's, 22023 thanks that are no message, 23505 their id is taken. Conversations are locked in the same order as in confirm_delivery, which another
-- screen of the owner may call.
create or replace function public.take_back_item(
  item_id_param uuid, conversation_id_param uuid default null, clears_note_param boolean default false,
  clears_reward_param boolean default false, thanks_param text default null, thanks_id_param uuid default null,
  thanked_id_param uuid default null, language_param text default null
) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  thanked constant uuid := case when thanks_param is not null then coalesce(thanked_id_param, conversation_id_param) end;
begin
  perform from public.items where id = item_id_param and user_id = (select auth.uid());
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  if (conversation_id_param is not null and not exists (
        select from public.conversations where id = conversation_id_param and item_id = item_id_param))
      or (thanks_param is not null and not exists (
        select from public.conversations where id = thanked and item_id = item_id_param)) then
    raise exception 'No conversation about this item has this id' using errcode = 'PT404';
  end if;
  if exists (
    select from public.messages where id = thanks_id_param and conversation_id = thanked and sender = 'owner'
  ) then
    return;
  end if;
  update public.items set
      lost_at = null,
      note_to_finders = case when clears_note_param then null else note_to_finders end,
      reward = case when clears_reward_param then null else reward end
    where id = item_id_param and (
      lost_at is not null or clears_note_param and note_to_finders is not null or clears_reward_param and reward is not null
    );
  perform from public.conversations
    where item_id = item_id_param
      and (coalesce(id = conversation_id_param, true) and returned_at is null or id = thanked)
    order by id for no key update;
  update public.conversations set returned_at = now()
    where item_id = item_id_param and coalesce(id = conversation_id_param, true) and returned_at is null;
  if thanks_param is not null then
    perform public.send_reply(
      thanked, thanks_param, thanks_id_param, case when thanks_param = '' then 'thanks' else 'text' end,
      language_param => language_param
    );
  end if;
end
$$;

grant execute on function public.take_back_item(uuid, uuid, boolean, boolean, text, uuid, uuid, text) to authenticated;

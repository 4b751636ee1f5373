-- The latest conversations about an item of the caller's, newest first, with the tag code of the item. The service
-- responds with the return code of each in place of the tag code. A return code opens its conversation after the session
-- has ended, so this needs a recent proof.
-- Errors: PT403 the proof is too old.
create or replace function public.list_return_codes(item_id_param uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  perform internal.require_recent_proof();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('conversation_id', latest.id, 'qr_id', latest.qr_id)), '[]')
      from (
        select conversation.id, item.qr_id
          from public.conversations as conversation
          join public.items as item on item.id = conversation.item_id
          where conversation.item_id = item_id_param and conversation.owner_id = (select auth.uid())
            and item.user_id = (select auth.uid()) and item.given_at is null
          order by conversation.created_at desc
          limit 200
      ) as latest
  );
end
$$;

grant execute on function public.list_return_codes(uuid) to authenticated;

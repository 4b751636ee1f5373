-- Stores the address of a conversation's finder, in place of an earlier one, and enqueues the email that asks for its proof.
-- The same address keeps its id, so earlier links stay valid, and its proof. Returns whether the conversation exists.
create or replace function internal.leave_finder_address(
  conversation_id_param uuid, address_param text, qr_id_param text, language_param text
) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  -- Before its address, as the owner's deletion and replies do.
  perform from public.conversations where id = conversation_id_param for key share;
  if not found then
    return false;
  end if;
  -- An expired one is gone, and so are its links.
  delete from internal.finder_addresses where conversation_id = conversation_id_param and expires_at < now();
  insert into internal.finder_addresses as earlier (conversation_id, address, qr_id, language, expires_at)
    values (conversation_id_param, address_param, qr_id_param, language_param, now() + interval '1 day')
    on conflict (conversation_id) do update set
      id = case when earlier.address = excluded.address then earlier.id else excluded.id end,
      address = excluded.address,
      qr_id = excluded.qr_id,
      language = excluded.language,
      proved_at = case when earlier.address = excluded.address then earlier.proved_at end,
      expires_at = case
        when earlier.address = excluded.address then greatest(earlier.expires_at, excluded.expires_at)
        else excluded.expires_at
      end,
      notified_at = case when earlier.address = excluded.address then earlier.notified_at end
    returning * into kept;
  if kept.proved_at is null then
    perform internal.enqueue_finder_proof(kept.id);
  end if;
  return true;
end
$$;

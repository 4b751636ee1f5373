-- Returns the address that was proved by this call; null where it is gone, expired, or proved already.
create or replace function internal.prove_finder_address(address_id_param uuid) returns text
  language plpgsql
  set search_path = ''
  as $$
declare
  proved internal.finder_addresses;
begin
  update internal.finder_addresses
    set proved_at = now(), expires_at = now() + interval '90 days'
    where id = address_id_param and proved_at is null and expires_at >= now()
    returning * into proved;
  -- The owner may have replied meanwhile.
  if proved.reply_id is not null then
    perform internal.enqueue_reply_notice(proved.conversation_id);
  end if;
  return proved.address;
end
$$;

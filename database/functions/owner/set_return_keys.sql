-- Stores the hashes of derived keys. Two conversations about an item can have the same code (1 in 2^40); the first one
-- keeps it. Only conversations whose key is missing are locked: a page that is looked at again writes nothing.
create or replace function internal.set_return_keys(conversation_ids uuid[], key_hashes bytea[]) returns void
  language sql
  set search_path = ''
  as $$
    with present as (
      select conversation.id, derived.key_hash
        from unnest(conversation_ids, key_hashes) as derived (conversation_id, key_hash)
        join public.conversations as conversation on conversation.id = derived.conversation_id
        where not exists (select from internal.return_keys as stored where stored.key_hash = derived.key_hash)
        order by conversation.id
        for key share of conversation
    )
    insert into internal.return_keys (conversation_id, key_hash)
      select present.id, present.key_hash from present
      on conflict do nothing
  $$;

alter function internal.set_return_keys(uuid[], bytea[]) owner to service_role;

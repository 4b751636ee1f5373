-- A code as the client generates it: 94 bits from the cryptographic generator behind gen_random_uuid.
create or replace function internal.new_tag_code() returns text
  language sql volatile
  set search_path = ''
  as $$
    -- The last 16 of the 43 characters of 256 bits. The very last has four bits, and is never a mark, which programs that
    -- find links in texts would leave out.
    select 'tgt-' || translate(substr(encode(sha256(
      uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    ), 'base64'), 28, 16), '+/', '-_')
  $$;

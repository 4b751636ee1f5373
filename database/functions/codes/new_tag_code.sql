-- A code as the client generates it: 96 bits from the cryptographic generator behind gen_random_uuid.
create or replace function internal.new_tag_code() returns text
  language sql volatile
  set search_path = ''
  as $$
    select 'tgt-' || translate(left(encode(sha256(
      uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    ), 'base64'), 16), '+/', '-_')
  $$;

grant execute on function internal.new_tag_code() to service_role;

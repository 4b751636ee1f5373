-- Batches belong to no account, and their entries name the batch.
create or replace function internal.audit_sticker_batch() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  insert into auth.audit_log (event, by_operator, details)
    values ('codes_issued', true, jsonb_build_object('batch', new.id, 'size', new.size));
  return null;
end
$$;

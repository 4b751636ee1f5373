-- The foreign keys of a deleted account free its codes, in an order that is not ours.
create or replace function internal.hold_batches_of_account() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.hold_batches(array(select qr_id from public.qr_codes where owner_id = old.id));
  return old;
end
$$;

create or replace function internal.give_typed_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- Two tag codes share a typed code once in 10^13 pairs of 75 bits. The first keeps it.
  insert into internal.typed_codes (typed_code, qr_id)
    values (internal.typed_code_of(new.qr_id), new.qr_id)
    on conflict do nothing;
  return null;
end
$$;

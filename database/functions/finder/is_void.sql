create or replace function internal.is_void(qr_id_param text) returns boolean
  language sql stable
  set search_path = ''
  as $$ select exists (select from public.qr_codes where qr_id = qr_id_param and voided_at is not null) $$;

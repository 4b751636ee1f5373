-- The code under which an item is stored, for any code of it. A code without an item is returned as it is.
create or replace function internal.own_code_of_item(qr_id_param text) returns text
  language sql stable
  set search_path = ''
  as $$ select coalesce((select stands_for from public.qr_codes where qr_id = qr_id_param), qr_id_param) $$;

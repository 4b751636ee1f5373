-- Voids a code. Returns `voided`, `void` if it was void already, `claimed` if it belongs to an account and `claimed_too`
-- is false, or `unknown`.
create or replace function public.void_code(qr_id_param text, reason_param text, claimed_too boolean default false) returns text
  language plpgsql
  set search_path = ''
  as $$
declare
  code public.qr_codes;
begin
  select * into code from public.qr_codes where qr_id = qr_id_param for update;
  if not found then
    return 'unknown';
  end if;
  if code.voided_at is not null then
    return 'void';
  end if;
  if code.owner_id is not null and claimed_too is not true then
    return 'claimed';
  end if;
  update public.qr_codes set voided_at = now(), void_reason = reason_param where qr_id = qr_id_param;
  perform internal.announce_void_codes('codes_voided', array[qr_id_param]);
  return 'voided';
end
$$;

-- Whether the caller can tag an item with the code: it is free, or the caller's own. False for a void code and for one
-- that is not known, and never says which.
create or replace function public.can_claim_code(qr_id_param text) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  can_claim boolean;
begin
  perform internal.require_look_up(qr_id_param);
  select code.voided_at is null and (
      code.owner_id = (select auth.uid())
      or code.owner_id is null and (code.issued_at is not null or not internal.claims_only_issued_codes())
    ) is true
    into can_claim
    from public.qr_codes as code where code.qr_id = qr_id_param;
  can_claim := coalesce(can_claim, internal.is_claimable_code(qr_id_param), false);
  if not can_claim then
    perform internal.note_look_up('miss', qr_id_param);
  end if;
  return can_claim;
end
$$;

grant execute on function public.can_claim_code(text) to anon, authenticated;

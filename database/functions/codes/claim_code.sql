-- Gives the code to the owner and holds its row until the transaction ends, so that of many at once one wins.
create or replace function internal.claim_code(qr_id_param text, owner_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  holder uuid;
  is_new boolean;
begin
  if not exists (select from public.qr_codes where qr_id = qr_id_param and owner_id = owner_id_param) then
    perform internal.require_look_up(qr_id_param);
  end if;
  if internal.is_claimable_code(qr_id_param) then
    insert into public.qr_codes as existing (qr_id, owner_id, claimed_at)
      values (qr_id_param, owner_id_param, now())
      on conflict (qr_id) do update
        set owner_id = coalesce(existing.owner_id, excluded.owner_id),
            claimed_at = coalesce(existing.claimed_at, excluded.claimed_at)
        where existing.voided_at is null
      returning existing.owner_id, existing.claimed_at = now() into holder, is_new;
  else
    update public.qr_codes
      set owner_id = coalesce(owner_id, owner_id_param), claimed_at = coalesce(claimed_at, now())
      where qr_id = qr_id_param and voided_at is null
        and (owner_id is not null or issued_at is not null or not internal.claims_only_issued_codes())
      returning owner_id, claimed_at = now() into holder, is_new;
  end if;

  -- The same for a code that is void and one that is not known.
  if not found then
    perform internal.note_look_up('miss', qr_id_param);
    raise exception 'This QR code was not issued by this service' using errcode = '22023';
  end if;
  if holder is distinct from owner_id_param then
    perform internal.note_look_up('miss', qr_id_param);
    raise exception 'This QR code is already registered to another account' using errcode = '23505';
  end if;
  if is_new then
    perform internal.note_look_up('claim', qr_id_param);
    -- The service issues codes on printed stickers.
    update public.qr_codes set was_scanned = true where qr_id = qr_id_param and issued_at is not null and not was_scanned;
  end if;
end
$$;

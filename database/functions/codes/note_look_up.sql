-- Tells the service what a caller has learned of a code: `miss`, that it is not for them, or `claim`, that it was free. The
-- service counts the first, and the second where it is undone (`server/rest/count-look-ups.ts`). A notice arrives also
-- from a call that fails or is rolled back, which no row survives.
create or replace function internal.note_look_up(kind text, qr_id text) returns void
  language plpgsql stable
  set search_path = ''
  as $$
begin
  raise notice using
    message = 'A code was looked up',
    errcode = case when kind = 'miss' then 'RE001' when internal.is_hard_to_guess(qr_id) then 'RE003' else 'RE002' end;
end
$$;

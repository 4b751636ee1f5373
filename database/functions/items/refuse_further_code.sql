-- A further code of an item never becomes the own code of another. Read by its primary key: another index would also
-- fit, and would be read whole.
create or replace function internal.refuse_further_code()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if (select stands_for from public.qr_codes where qr_id = new.qr_id) is not null then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$$;

-- For operators: the codes of a batch in the order of their places, from one place on, at most 1,000. Whoever has them
-- can claim those that are free.
create or replace function public.look_at_batch_codes(batch_id_param uuid, first_place_param integer default 0)
  returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.require_operator();
  perform internal.note_operator('operator_looked', 'batch_codes');
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
        'place', code.batch_place + 1,
        'tag_code', code.qr_id,
        'typed_code', typed.typed_code,
        'state', case when code.voided_at is not null then 'void' when code.owner_id is not null then 'claimed' else 'free' end,
        'void_reason', code.void_reason
      ) order by code.batch_place), '[]')
      from (
        select * from public.qr_codes
          where batch_id = batch_id_param and batch_place >= first_place_param
          order by batch_place limit 1000
      ) as code
      left join internal.typed_codes as typed on typed.qr_id = code.qr_id
  );
end
$$;

grant execute on function public.look_at_batch_codes(uuid, integer) to authenticated;

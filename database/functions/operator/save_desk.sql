drop function if exists public.save_desk(text, text, text, jsonb, jsonb, text, text[], double precision, double precision, integer, uuid);
-- For operators: adds a desk, or changes the one with this id, which gets all of these values. Returns its id. A new one is
-- the last in the order, unless it has a position. Errors: 22023 no such time zone, or 100 desks are there; 23514 a value
-- that the table refuses; PT404 no such desk.
create or replace function public.save_desk(
  name_param text, place_param text, time_zone_param text, week_param jsonb, days_param jsonb default '{}',
  phone_param text default null, languages_param text[] default '{}', position_param integer default null,
  desk_id_param uuid default null
) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_desks constant integer := 100;
  saved public.desks;
begin
  perform internal.require_operator();
  if desk_id_param is not null then
    select * into saved from public.desks where id = desk_id_param and removed_at is null for update;
    if not found then
      raise exception 'No desk has this id' using errcode = 'PT404';
    end if;
  elsif (select count(*) from public.desks where removed_at is null) >= most_desks then
    raise exception 'There are at most % desks', most_desks using errcode = '22023';
  else
    saved.id := internal.time_ordered_id();
    saved.created_at := now();
    saved.position := (select coalesce(max(position), 0) + 1 from public.desks where removed_at is null);
  end if;
  saved.name := coalesce(internal.clean_place(name_param), '');
  saved.place := coalesce(internal.clean_place(place_param), '');
  saved.phone := nullif(btrim(phone_param), '');
  saved.time_zone := time_zone_param;
  saved.week := week_param;
  saved.days := coalesce(days_param, '{}');
  saved.languages := coalesce(languages_param, '{}');
  saved.position := coalesce(position_param, saved.position);
  insert into public.desks select saved.*
    on conflict (id) do update set (name, place, phone, time_zone, week, days, languages, position) = (
      saved.name, saved.place, saved.phone, saved.time_zone, saved.week, saved.days, saved.languages, saved.position
    );
  perform internal.note_operator('operator_acted', 'save_desk');
  perform pg_notify('desks_changed', '');
  return saved.id;
end
$$;

grant execute on function public.save_desk(text, text, text, jsonb, jsonb, text, text[], integer, uuid) to authenticated;

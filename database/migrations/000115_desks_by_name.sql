-- kind: compatible
-- Desks have no coordinates, which nothing used. Where an item was handed in, the place has room for a desk's name and place.
alter table public.desks drop column latitude, drop column longitude;
alter table public.messages drop constraint messages_place_check,
  add constraint messages_place_check check (char_length(place) between 1 and case kind when 'handed_in' then 162 else 100 end);

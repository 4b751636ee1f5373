-- kind: compatible
-- Desks have no coordinates, which nothing used. The place of a message has room for the name and the place of a desk.
alter table public.desks drop column latitude, drop column longitude;
alter table public.messages drop constraint messages_place_check,
  add constraint messages_place_check check (char_length(place) between 1 and 162);

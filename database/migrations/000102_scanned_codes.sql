-- kind: compatible
-- Which stickers were scanned. Of earlier codes it is not known, and most have protected an item for long: they count as scanned.
alter table public.qr_codes add column was_scanned boolean not null default true;
alter table public.qr_codes alter column was_scanned set default false;
comment on column public.qr_codes.was_scanned is 'Whether its sticker is known to exist: it was scanned, or came from a printed batch. Not when: that would tell of a finder.';

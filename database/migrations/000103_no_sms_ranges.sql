-- kind: breaking
-- How many codes of a range of numbers were entered is no longer counted: one budget a day bounds all SMS.
-- A database from before functions had files does not know which of its functions were ours.
drop function if exists public.list_open_sms_ranges();
drop function if exists public.open_sms_range(text);
drop function if exists public.close_sms_range(text);
drop table auth.sms_ranges;

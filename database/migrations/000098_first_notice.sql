-- kind: compatible
-- The steps after a message wait for its first notice, which an outage may delay.
alter table public.conversations add column delivered_at timestamptz;
comment on column public.conversations.delivered_at is 'When the first notice left of those that the owner had not seen then.';

-- kind: breaking
-- A request for a code or a link does not end the earlier ones of the same account and purpose.

alter table auth.one_time_tokens
  drop constraint one_time_tokens_pkey,
  -- Later requests have higher ids.
  add column id bigint generated always as identity primary key,
  -- What auth.known_devices keeps of the device that asked. Null where an operator or a job did.
  add column asked_on bytea;
create index one_time_tokens_purpose on auth.one_time_tokens (user_id, token_type);
comment on table auth.one_time_tokens is
  'Codes and links that were sent, each until it expires, or until one of the same account and purpose is used.';

-- kind: compatible
-- Records the browser that began a change of address, or that registered a claimed address. A link that adds an address
-- counts there, or with a session of the account, and not in every browser where a session of the account once began.

alter table auth.one_time_tokens add column begun_on bytea;
comment on column auth.one_time_tokens.begun_on is 'SHA-256 of the device cookie of the browser that began the change or registered the address. A message that is sent again keeps it. Null where the browser had no cookie, or an operator began the change.';

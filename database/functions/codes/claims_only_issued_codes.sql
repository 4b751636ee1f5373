-- Whether codes must be recorded as issued to be claimed: CLAIMABLE_CODES=issued.
create or replace function internal.claims_only_issued_codes() returns boolean
  language sql stable
  set search_path = ''
  as $$ select coalesce(pg_catalog.current_setting('reunite.claimable_codes', true), '') = 'issued' $$;

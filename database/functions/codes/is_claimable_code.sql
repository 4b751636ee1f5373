-- Whether an account may claim a code that the service did not issue: it must be hard to guess, so that nobody can guess
-- codes of others or claim words. Where only issued codes may be claimed, no other may.
create or replace function internal.is_claimable_code(qr_id text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select not internal.claims_only_issued_codes() and (
      internal.is_hard_to_guess(qr_id)
      or (qr_id ~ '^[A-Za-z0-9_-]{1,64}$' and qr_id <> 'new-item' and coalesce(current_setting('reunite.development', true), 'off') = 'on')
    )
  $$;

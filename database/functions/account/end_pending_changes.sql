-- After a new password or a recovery: what waits for another person's consent, and may be a thief's, ends.
create or replace function internal.end_pending_changes(user_id_param uuid) returns void
  language sql
  set search_path = ''
  as $$
    delete from public.item_offers where giver_id = user_id_param and accepted_at is null;
    delete from public.second_contacts where owner_id = user_id_param and agreed_at is null and left_at is null;
  $$;

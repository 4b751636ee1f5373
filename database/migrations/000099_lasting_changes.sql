-- kind: compatible
-- What outlives the session that does it needs a recent proof.
create trigger items_note_deleted after delete on public.items referencing old table as gone
  for each statement execute function internal.note_deleted_items();
create or replace trigger notice_addresses_audit after insert or delete or update of shows_text on public.notice_addresses
  for each row execute function internal.audit_notice_address();
create trigger push_subscriptions_silence_device after delete on public.push_subscriptions
  for each row when (current_user = 'authenticated') execute function internal.silence_device();

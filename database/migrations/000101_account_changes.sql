-- kind: compatible
-- A new password ends what waits for another person's consent, and what finders see is in the list of recent changes.
create trigger users_end_pending_changes after update of encrypted_password on auth.users
  for each row when (old.confirmed_at is not null and old.encrypted_password is distinct from new.encrypted_password)
  execute function internal.end_pending_changes_with_password();
create trigger items_note_shown_change after update of item_type, item_name, note_to_finders, reward, lost_at,
  whatsapp_enabled, call_enabled, email_enabled, message_enabled on public.items
  for each row when (old.* is distinct from new.*) execute function internal.note_shown_change('finders_page_changed', 'user_id');
create trigger profiles_note_shown_change after update of full_name, whatsapp_enabled, call_enabled, email_enabled,
  message_enabled on public.profiles
  for each row when (old.* is distinct from new.*) execute function internal.note_shown_change('finders_page_changed', 'id');
create trigger conversations_note_hidden after delete or update of muted_at, blocked_at on public.conversations
  for each row execute function internal.note_shown_change('conversation_hidden', 'owner_id');

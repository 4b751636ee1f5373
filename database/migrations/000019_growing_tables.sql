-- kind: compatible
-- Each statement on a table that grows has an index that serves it, and each picture is found by its name.

-- The name of an object is compared byte by byte; a comparison with a column of another collation uses neither index.
drop trigger items_require_photo on public.items;
drop trigger items_replace_photo on public.items;
drop trigger items_delete_photo on public.items;
drop trigger profiles_require_avatar on public.profiles;
drop trigger profiles_replace_avatar on public.profiles;
drop trigger profiles_delete_avatar on public.profiles;

alter table public.items alter column photo type text collate "C";
alter table public.profiles alter column avatar type text collate "C";

create trigger items_require_photo before insert or update of photo, user_id on public.items
  for each row when (new.photo is not null)
  execute function internal.require_own_picture('item-photos', 'photo', 'user_id');
create trigger items_replace_photo after update of photo on public.items
  for each row when (old.photo is not null and old.photo is distinct from new.photo)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');
create trigger items_delete_photo after delete on public.items
  for each row when (old.photo is not null)
  execute function internal.take_down_picture('item-photos', 'photo', 'user_id');

create trigger profiles_require_avatar before insert or update of avatar on public.profiles
  for each row when (new.avatar is not null)
  execute function internal.require_own_picture('avatars', 'avatar', 'id');
create trigger profiles_replace_avatar after update of avatar on public.profiles
  for each row when (old.avatar is not null and old.avatar is distinct from new.avatar)
  execute function internal.take_down_picture('avatars', 'avatar', 'id');
create trigger profiles_delete_avatar after delete on public.profiles
  for each row when (old.avatar is not null)
  execute function internal.take_down_picture('avatars', 'avatar', 'id');

-- For the daily removal of what has expired.
create index refresh_tokens_revoked on auth.refresh_tokens (revoked_at) where revoked_at is not null;
create index mfa_challenges_expiry on auth.mfa_challenges (expires_at);
create index users_unconfirmed on auth.users (created_at)
  where confirmed_at is null and last_sign_in_at is null and deleted_at is null and not is_anonymous;
create index users_anonymous on auth.users (created_at) where is_anonymous and deleted_at is null;

-- For the deletion of an account.
create index development_outbox_recipient on internal.development_outbox (recipient);

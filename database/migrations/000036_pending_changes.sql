-- kind: compatible
-- Finds pending changes by the new address or number, so that a request to send a code again reads no whole table.

create index users_new_email on auth.users (new_email) where new_email is not null and deleted_at is null;
create index users_new_phone on auth.users (new_phone) where new_phone is not null and deleted_at is null;

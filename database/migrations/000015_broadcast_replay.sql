-- kind: compatible
-- Broadcasts that were made in the database can be told again to whoever joins a private channel later.

-- In the order in which they were made, also within one transaction, and whatever the session's time zone is.
alter table realtime.messages alter column inserted_at set default (clock_timestamp() at time zone 'UTC');

create index messages_replay on realtime.messages (topic, inserted_at) where private and extension = 'broadcast';

-- kind: compatible
-- A session that is not used ends (docs/decisions/0059-sessions-end-and-are-bounded.md).

-- Sessions from before count as used at the upgrade, or a little before: none ends within the next 30 days.
update auth.sessions
  set not_after = greatest(coalesce(refreshed_at, created_at) + interval '180 days', now() + interval '30 days')
  where not_after is null;
create index sessions_end on auth.sessions (not_after);
comment on column auth.sessions.not_after is
  'When the session ends, unless it is used before. Each use moves it, within SESSION_INACTIVITY_DAYS and SESSION_TIMEBOX_DAYS.';

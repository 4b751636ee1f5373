-- kind: compatible
-- No setting bounds a session.
comment on column auth.sessions.not_after is 'When the session ends, unless it is used before. Each use moves it.';

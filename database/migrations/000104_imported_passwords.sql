-- kind: compatible
-- Imported bcrypt hashes, by their cost: each sign-in takes as long as the most expensive one.
create index users_imported_cost on auth.users ((substr(encrypted_password, 5, 2))) where encrypted_password like '$2%';
comment on column auth.users.encrypted_password is 'A password hash in PHC format (Argon2id), or one of bcrypt that was imported, until its first sign-in. The name is the one that fixtures use.';

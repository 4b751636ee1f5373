#!/bin/sh
# Creates the account and the database of Reunite, once, when PostgreSQL's image initializes its volume. The account is
# no superuser: docs/operate/configuration.md says what it needs.
set -eu
password="${DATABASE_PASSWORD:-$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database_password}")}"
if [ -z "$password" ]; then
  echo 'The password of the database is empty.' >&2
  exit 1
fi
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
  --set=password="$password" <<'SQL'
create role reunite login createrole bypassrls password :'password';
create database reunite owner reunite encoding 'UTF8' template template0;
create role service_role bypassrls;
grant service_role to reunite with admin option;
SQL

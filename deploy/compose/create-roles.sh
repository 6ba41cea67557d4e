#!/bin/sh
# The accounts and the database of docs/OPERATING.md, "External PostgreSQL". The image of PostgreSQL
# runs this once, when its volume is empty.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres \
  --set owner="$(cat /run/secrets/owner-password)" \
  --set application="$(cat /run/secrets/application-password)" <<'SQL'
CREATE ROLE interviews_owner LOGIN PASSWORD :'owner';
CREATE ROLE interviews_app LOGIN PASSWORD :'application';
CREATE DATABASE interviews OWNER interviews_owner;
SQL

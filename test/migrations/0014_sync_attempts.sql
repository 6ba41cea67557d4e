UPDATE sync_run SET lost_attempts = 1;

UPDATE step_run SET lost_attempts = 1, process = gen_random_uuid();
UPDATE bulk_run SET lost_attempts = 1, process = gen_random_uuid();
UPDATE upload SET lost_attempts = 1, process = gen_random_uuid();

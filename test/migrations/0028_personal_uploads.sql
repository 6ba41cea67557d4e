UPDATE upload SET account_id = NULL WHERE state = 'receiving';

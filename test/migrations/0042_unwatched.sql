UPDATE interview_segment SET cannot_join = true;

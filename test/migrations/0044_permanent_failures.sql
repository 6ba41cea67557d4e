UPDATE interview SET transcription_permanent = true, summary_permanent = true;

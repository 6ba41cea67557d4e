DELETE FROM review WHERE author = 'former';

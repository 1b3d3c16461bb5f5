'use strict';
/** Says that it runs, and ends with the exit code it is sent. */
process.on('message', (code) => process.exit(code));
process.on('disconnect', () => process.exit(0));
process.send('running');

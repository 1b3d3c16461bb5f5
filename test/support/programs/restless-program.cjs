'use strict';
/** Reports that it runs, and exits with the code that it receives. */
process.on('message', (code) => process.exit(code));
process.on('disconnect', () => process.exit(0));
process.send('running');

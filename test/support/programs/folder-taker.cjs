'use strict';
/**
 * Acquires data folders on request: `{ take: <folder>, at: <Unix time in ms> }`, and releases its folder on `release`.
 */
const { join } = require('node:path');
const { lockDataFolder } = require(join(process.env.DIST, 'adapters/filesystem/data-folder.js'));

let held = null;
process.on('disconnect', () => process.exit(0));
process.on('message', async (order) => {
  if (order === 'release') {
    held.release();
    process.send('released');
    return;
  }
  // A timer would wake the processes one after the other.
  while (Date.now() < order.at);
  const taken = await lockDataFolder(order.take);
  if (taken._tag === 'Right') held = taken.right;
  process.send(taken._tag === 'Right' ? { refusal: null } : { refusal: taken.left.message });
});
process.send('ready');

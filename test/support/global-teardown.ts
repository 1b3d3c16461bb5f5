import { rm } from 'node:fs/promises';
import { testServer } from './postgres';

const globalTeardown = async (): Promise<void> => {
  if (testServer.current === undefined) return;
  await testServer.current.stop();
  await rm(testServer.current.folder, { recursive: true, force: true });
};

module.exports = globalTeardown;

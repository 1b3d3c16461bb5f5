// Runs the system and starts it again whenever a source has been compiled anew.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = { cwd: root, stdio: 'inherit' };
const compiler = spawn(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  options,
);
const program = spawn(
  process.execPath,
  ['--watch-path=dist', '--watch-preserve-output', 'dist/adapters/start/start.js'],
  options,
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    compiler.kill();
    program.kill(signal);
  });
}
program.on('exit', (code) => {
  compiler.kill();
  process.exit(code ?? 0);
});

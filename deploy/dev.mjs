// Runs the system and starts it again whenever a source has been compiled anew; serves the console with hot reload.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { consoleConfig } from './build-console.mjs';

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
const api = `http://127.0.0.1:${process.env.ROWGRAPH_PORT ?? 8080}`;
const pages = await createServer({
  ...consoleConfig,
  server: { port: Number(process.env.CONSOLE_PORT ?? 5173), proxy: { '/api': api, '/graphs': api } },
});
await pages.listen();
process.stderr.write(`rowgraph: the console with hot reload: ${pages.resolvedUrls?.local[0] ?? ''}\n`);
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

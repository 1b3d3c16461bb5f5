// Builds the web console into dist/console, compressed for serving, and fails above the limits of its pieces.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'adapters/console');
const output = join(root, 'dist/console');
const KB = 1024;
/** What the first page loads, and every piece that is loaded later, in bytes of gzip. */
const LIMITS = { first: 300 * KB, later: 200 * KB };

export const consoleConfig = {
  configFile: false,
  root: folder,
  base: './',
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  // The declarations of the API name modules of Node.js that only its server calls.
  resolve: { alias: [{ find: /^node:.*/, replacement: join(folder, 'api/no-node.ts') }] },
};

export const buildConsole = async () => {
  const { build } = await import('vite');
  await build({
    ...consoleConfig,
    build: {
      outDir: output,
      emptyOutDir: true,
      assetsDir: 'console',
      modulePreload: { polyfill: false },
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
  });
  const html = readFileSync(join(output, 'index.html'), 'utf8');
  const assets = join(output, 'console');
  const sizes = readdirSync(assets).map((name) => {
    const bytes = readFileSync(join(assets, name));
    const zipped = gzipSync(bytes, { level: 9 });
    writeFileSync(join(assets, `${name}.gz`), zipped);
    writeFileSync(
      join(assets, `${name}.br`),
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
    return { name, size: zipped.length, isFirst: html.includes(name) };
  });
  const first = sizes.filter(({ isFirst }) => isFirst).reduce((sum, { size }) => sum + size, 0);
  const excess = [
    ...(first > LIMITS.first ? [`the first page has ${kb(first)}, at most ${kb(LIMITS.first)}`] : []),
    ...sizes
      .filter(({ size, isFirst }) => !isFirst && size > LIMITS.later)
      .map(({ name, size }) => `${name} has ${kb(size)}, at most ${kb(LIMITS.later)}`),
  ];
  if (excess.length > 0) throw new Error(`The console is too large (gzip): ${excess.join('; ')}.`);
  return { first, sizes };
};

const kb = (bytes) => `${Math.round(bytes / KB)} KB`;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { first, sizes } = await buildConsole();
  if (process.argv.includes('--quiet')) process.exit(0);
  for (const { name, size, isFirst } of sizes) process.stderr.write(`${isFirst ? '*' : ' '} ${name} ${kb(size)}\n`);
  process.stderr.write(`first page ${kb(first)} gzip\n`);
}

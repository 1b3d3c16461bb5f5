// Makes a checkout runnable: installs the packages when they are missing or the lock file has changed, and compiles
// when a source is newer than the last build. Prints to stderr only, so that the output of what follows stays clean.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './check-node.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = ['domain', 'projections', 'commands', 'queries', 'adapters', 'pod', 'bench'];
const parent = process.ppid;
const buildStamp = join(root, 'dist', '.built');
const consoleStamp = join(root, 'dist', '.console-built');
/** What the console is made of: its own sources, and the client with the declarations of the API. */
const consoleSources = [
  'adapters/console',
  'adapters/client',
  'adapters/contracts',
  'adapters/http',
  'queries/views',
  'domain',
];
const installStamp = join(root, 'node_modules', '.rowgraph-installed');

// One at a time: a program must not start on what another start of this checkout is still installing or compiling. The
// lock belongs to the open file, and ends with this process.
const waits = setTimeout(() => say('waiting for another program that prepares this checkout …'), 10_000);
await run('flock', ['3'], openSync(fileURLToPath(import.meta.url)));
clearTimeout(waits);

if (read(installStamp) !== hash('package-lock.json')) {
  say('installing packages …');
  // Not `npm ci`: it refuses a lock file that lacks the optional packages of other platforms.
  if (!(await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']))) {
    fail('The packages could not be installed; the lines above say why. Check that the npm registry can be reached.');
  }
  writeFileSync(installStamp, hash('package-lock.json'));
}

const isAsked = process.argv.includes('--force-build');
if (isAsked || newest(sources) > mtime(buildStamp)) {
  say('compiling …');
  if (isAsked) rmSync(join(root, 'dist'), { recursive: true, force: true });
  const startedAt = new Date();
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // Types are checked by `npm run build` and `npm run check`; the start of a checkout takes a third of the time.
  const args = [compiler, '-p', 'tsconfig.build.json', ...(isAsked ? [] : ['--noCheck'])];
  if (!(await run(process.execPath, args))) fail('The sources do not compile; see above.');
  mkdirSync(dirname(buildStamp), { recursive: true });
  stamp(buildStamp, startedAt);
  linkProgram();
}

if (newest(consoleSources) > mtime(consoleStamp)) {
  say('building the console …');
  const startedAt = new Date();
  const builder = join(root, 'deploy', 'build-console.mjs');
  if (!(await run(process.execPath, [builder, '--quiet']))) fail('The console cannot be built; see above.');
  stamp(consoleStamp, startedAt);
}

// `npx rowgraph` finds the program in this folder.
function linkProgram() {
  const { rowgraph } = JSON.parse(read(join(root, 'package.json'))).bin;
  chmodSync(join(root, rowgraph), 0o755);
  const link = join(root, 'node_modules', '.bin', 'rowgraph');
  rmSync(link, { force: true });
  symlinkSync(join('..', '..', rowgraph), link);
}

/** What changes during a build is newer than its stamp. */
function stamp(path, startedAt) {
  writeFileSync(path, '');
  utimesSync(path, startedAt, startedAt);
}

function newest(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
  );
  return Math.max(...[...files, join(root, 'tsconfig.json'), join(root, 'tsconfig.build.json')].map(mtime));
}

function mtime(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function hash(name) {
  return createHash('sha256')
    .update(readFileSync(join(root, name)))
    .digest('hex');
}

function run(command, args, file = 'ignore') {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', process.stderr, process.stderr, file] });
    // npm passes a signal to the shell of its script alone: once that has ended, this is not needed.
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      child.kill();
      process.exit(1);
    }, 100);
    const end = (isDone) => {
      clearInterval(watch);
      resolve(isDone);
    };
    child.once('error', () => end(false));
    child.once('close', (code) => end(code === 0));
  });
}

function say(text) {
  process.stderr.write(`rowgraph: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`rowgraph: ${text}\n`);
  process.exit(1);
}

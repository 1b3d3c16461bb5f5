import { Command } from 'commander';
import { isLeft } from 'fp-ts/Either';
import { createLog } from '../system/log-options';
import { packageVersion } from '../system/package-root';
import { stopSignal } from '../system/shutdown-steps';
import { startTracing } from '../system/tracing';
import { logName } from './event-store-settings';
import { readSettings, SERVER_VARIABLES } from './settings';
import { startSystem } from './system';

const main = async (): Promise<number> => {
  readStartArguments(process.argv.slice(2));
  const settings = readSettings(process.env);
  if (isLeft(settings)) {
    const lines = settings.left.map((line) => `  - ${line}`).join('\n');
    process.stderr.write(`rowgraph cannot start with these settings:\n${lines}\n`);
    return 1;
  }
  const log = createLog(settings.right.logLevel);
  // The first process of a container is not ended by a signal that it does not handle.
  const stopAsked = stopSignal();
  const endTracing = await startTracing('rowgraph-control-plane');
  const system = await Promise.race([startSystem(settings.right, log), stopAsked]);
  if (typeof system === 'string') {
    log.info(`stopping before the start is complete: ${system}`);
    return 0;
  }
  if (isLeft(system)) {
    process.stderr.write(`${system.left.message}\n`);
    return 1;
  }
  const { publicUrl, internalUrl } = system.right;
  const { dataDirectory, eventStore, warehouseDirectory, trino, s3, podRuntime } = settings.right;
  process.stdout.write(
    [
      `rowgraph is ready.`,
      `  console       ${publicUrl}/`,
      `  API           ${publicUrl}/api`,
      `  internal API  ${internalUrl}/api/internal`,
      `  data          ${dataDirectory}`,
      `  log           ${logName(eventStore)}`,
      `  warehouse     ${trino === null ? warehouseDirectory : `Trino at ${trino.url}`}`,
      ...(s3 === null ? [] : [`  snapshots     s3://${s3.bucket}/${s3.prefix}`]),
      podRuntime === 'process'
        ? `Stop it with Ctrl-C; instances are loaded again at the next start.`
        : `Stop it with Ctrl-C.`,
      ``,
    ].join('\n'),
  );
  const end = await Promise.race([
    stopAsked.then((reason) => ({ reason, code: 0 })),
    system.right.failed.then((reason) => ({ reason, code: 1 })),
  ]);
  log[end.code === 0 ? 'info' : 'error'](`stopping: ${end.reason}`);
  await system.right.stop();
  await endTracing();
  return end.code;
};

/** Prints the usage of `npm start` on `--help` or an unknown argument, and ends the program. */
const readStartArguments = (words: readonly string[]): void => {
  new Command('npm start')
    .usage('[-- --help]')
    .description('Starts rowgraph with everything it needs on this machine; Ctrl-C or SIGTERM ends it.')
    .version(packageVersion, '-V, --version', 'print the version')
    .allowExcessArguments(false)
    .showHelpAfterError('(npm start -- --help says how it is set up)')
    .addHelpText('after', SETTINGS)
    .parse([...words], { from: 'user' });
};

const SETTINGS = `
Settings are environment variables; docs/settings.md says what they mean:
${SERVER_VARIABLES.map((name) => `  ${name}`).join('\n')}

The command line that works with it: npm run cli -- --help`;

void main().then((code) => process.exit(code));

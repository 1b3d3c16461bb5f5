import { isLeft } from 'fp-ts/Either';
import { createLog } from './log';
import { logName } from './log-name';
import { readSettings } from './settings';
import { readStartArguments } from './start-arguments';
import { startSystem } from './system';
import { untilAskedToStop } from './until-asked-to-stop';

const main = async (): Promise<number> => {
  readStartArguments(process.argv.slice(2));
  const settings = readSettings(process.env);
  if (isLeft(settings)) {
    const lines = settings.left.map((line) => `  - ${line}`).join('\n');
    process.stderr.write(`rowgraph cannot start with these settings:\n${lines}\n`);
    return 1;
  }
  const log = createLog(settings.right.logLevel);
  const system = await startSystem(settings.right, log);
  if (isLeft(system)) {
    process.stderr.write(`${system.left.message}\n`);
    return 1;
  }
  const { publicUrl, internalUrl } = system.right;
  process.stdout.write(
    [
      `rowgraph is ready.`,
      `  API           ${publicUrl}/api`,
      `  internal API  ${internalUrl}/api/internal`,
      `  data          ${settings.right.dataDirectory}`,
      `  log           ${logName(settings.right.eventStore)}`,
      `  warehouse     ${settings.right.warehouseDirectory}`,
      `Stop it with Ctrl-C; instances are loaded again at the next start.`,
      ``,
    ].join('\n'),
  );
  const end = await Promise.race([
    untilAskedToStop().then((reason) => ({ reason, code: 0 })),
    system.right.failed.then((reason) => ({ reason, code: 1 })),
  ]);
  log[end.code === 0 ? 'info' : 'error'](`stopping: ${end.reason}`);
  await system.right.stop();
  return end.code;
};

void main().then((code) => process.exit(code));

import { isLeft } from 'fp-ts/Either';
import { createLog } from './log';
import { readSettings } from './settings';
import { startSystem } from './system';
import { untilAskedToStop } from './until-asked-to-stop';

const main = async (): Promise<number> => {
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
      `  warehouse     ${settings.right.warehouseDirectory}`,
      `Stop it with Ctrl-C; instances are loaded again at the next start.`,
      ``,
    ].join('\n'),
  );
  log.info(`stopping: ${await untilAskedToStop()}`);
  await system.right.stop();
  return 0;
};

void main().then((code) => process.exit(code));

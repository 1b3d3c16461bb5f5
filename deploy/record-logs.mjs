// Records how the present code replays the logs of test/logs, with the reason for which old lives may change.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { reason: { type: 'string', default: '' } } });
const reason = values.reason.trim();
if (reason === '') {
  process.stderr.write(
    'No reason: say why old logs are read otherwise from now on, npm run record-logs -- --reason "Failed instances keep their size". It is stored in the records and belongs in the message of the commit.\n',
  );
  process.exit(2);
}
const { status } = spawnSync('npx', ['jest', 'test/logs', '-t', 'replays as recorded'], {
  env: { ...process.env, RECORD_REASON: reason },
  stdio: 'inherit',
});
process.exit(status ?? 1);

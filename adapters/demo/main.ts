import { parseArgs } from 'node:util';
import { resultTable } from '../cli/result-table';
import { freePort } from '../system/free-port';
import { stopSignal } from '../system/shutdown-steps';
import { type DemoReport, runDemo } from './run-demo';
import { startDemoSystem } from './start-demo-system';

const USAGE = 'Usage: npm run --silent demo -- [--once] [--json]';

const main = async (startedAt: number): Promise<number> => {
  const { values } = parseArgs({
    options: { once: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const { once = false, json = false, help = false } = values;
  if (help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  // With --json, only the report goes to stdout.
  const out = json ? process.stderr : process.stdout;
  const print = (line: string): void => void out.write(`${line}\n`);

  print('rowgraph demo: starting with an embedded database …');
  const stopAsked = stopSignal();
  const system = await startDemoSystem(await freePort(8080), await freePort(8081));
  try {
    const boot = Math.round(performance.now() - startedAt);
    print(`ready after ${boot} ms: database, projections, processes, export worker, both APIs\n`);
    const report = await Promise.race([runDemo(system.publicUrl, boot, out, print), stopAsked.then(() => null)]);
    if (report === null) return 130;
    if (!once) {
      print(nextSteps(report, system.publicUrl, system.dataDirectory));
      print(`\nstopping: ${await stopAsked}`);
    }
    if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
    return 0;
  } finally {
    await system.stop();
  }
};

const nextSteps = (report: DemoReport, publicUrl: string, dataDirectory: string): string =>
  [
    'The system keeps running. Try:',
    `  curl -s ${report.instance_url}/query -H 'Content-Type: application/json' \\`,
    `    -d '{"query": "MATCH (a:Account) RETURN a.rank, a.account_id ORDER BY a.rank DESC LIMIT 3"}'`,
    `  curl -s ${publicUrl}/api/instances/${report.instance_id} -H 'X-Username: ada'`,
    '',
    resultTable(
      ['part', 'address'],
      [
        ['console, as user ada', `${publicUrl}/`],
        ['API, as user ada', `${publicUrl}/api`],
        ['the instance', report.instance_url],
        ['data, log', dataDirectory],
      ],
    ),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');

main(performance.now()).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    process.stderr.write(isUsage ? `${message}\n${USAGE}\n` : `The demo failed: ${message}\n`);
    process.exit(1);
  },
);

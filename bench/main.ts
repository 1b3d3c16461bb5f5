import { parseArgs } from 'node:util';
import { auditBench } from './audit-bench';
import { commandsBench } from './commands-bench';
import { consoleBench } from './console-bench';
import { eventStoreBench } from './event-store-bench';
import { type Figure, figureLine } from './figure';
import { listsBench } from './lists-bench';
import { podsBench } from './pods/pods-bench';
import { s3LoadBench } from './pods/s3-load-bench';
import { rebuildBench } from './rebuild-bench';
import { schemaBench } from './schema-bench';
import { trinoTpchBench } from './trino/trino-tpch-bench';

/** Each bench creates what it needs in a separate folder and removes it at the end. */
const benches: Readonly<
  Record<string, (say: (line: string) => void, only: readonly string[] | null) => Promise<readonly Figure[]>>
> = {
  audit: auditBench,
  commands: commandsBench,
  console: consoleBench,
  'event-store': eventStoreBench,
  lists: listsBench,
  pods: podsBench,
  rebuild: rebuildBench,
  's3-load': s3LoadBench,
  schema: schemaBench,
  'trino-tpch': trinoTpchBench,
};

const USAGE = `Usage: npm run bench -- <${Object.keys(benches).join('|')}> [--json]
       npm run bench -- pods [--only load-a,louvain] [--json]
`;

/** Prints figures to stdout and progress to stderr. `--only` selects rows of `pods`. */
const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, only: { type: 'string' } },
    allowPositionals: true,
  });
  const only = values.only?.split(',') ?? null;
  const bench = positionals.length === 1 ? benches[positionals[0] ?? ''] : undefined;
  if (bench === undefined || (only !== null && bench !== podsBench)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const figures = await bench((line) => process.stderr.write(`${line}\n`), only);
  const lines = values.json === true ? [JSON.stringify({ figures }, null, 2)] : figures.map(figureLine);
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
};

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(
      `The bench broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  },
);

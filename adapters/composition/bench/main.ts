import { eventStoreBench } from './event-store-bench';
import { type Figure, figureLine } from './figure';
import { listsBench } from './lists-bench';
import { schemaBench } from './schema-bench';

/** Each makes what it needs in a folder of its own, measures, and leaves nothing behind. */
const benches: Readonly<Record<string, (say: (line: string) => void) => Promise<readonly Figure[]>>> = {
  'event-store': eventStoreBench,
  lists: listsBench,
  schema: schemaBench,
};

/** `npm run bench -- <name> [--json]`: figures to stdout, what it is doing to stderr. */
const main = async (): Promise<number> => {
  const names = process.argv.slice(2).filter((argument) => argument !== '--json');
  const bench = names.length === 1 ? benches[names[0] ?? ''] : undefined;
  if (bench === undefined) {
    process.stderr.write(`Usage: npm run bench -- <${Object.keys(benches).join('|')}> [--json]\n`);
    return 2;
  }
  const figures = await bench((line) => process.stderr.write(`${line}\n`));
  const lines = process.argv.includes('--json') ? [JSON.stringify({ figures }, null, 2)] : figures.map(figureLine);
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

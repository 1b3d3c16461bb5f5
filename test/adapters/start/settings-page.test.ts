import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { CLIENT_VARIABLES } from '../../../adapters/cli/login-file';
import { decodeWorkerSettings, WORKER_VARIABLES } from '../../../adapters/contracts/export-worker/settings';
import { PodEnvironment, readSettings as readPodSettings } from '../../../adapters/contracts/graph-pod/settings';
import { readSettings, SERVER_VARIABLES } from '../../../adapters/start/settings';
import { packageRoot } from '../../../adapters/system/package-root';
import { expectRight } from '../../support/given-when-then';

const page = readFileSync(join(packageRoot, 'docs', 'settings.md'), 'utf8');

const sectionOf = (heading: string): string =>
  page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

/** The names of variables with the last column of their rows, from the tables below a heading. */
const rowsBelow = (heading: string): ReadonlyMap<string, string> => {
  const rows = sectionOf(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `ROWGRAPH_'));
  return new Map(
    rows.map((line) => {
      const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
      return [cells[1] ?? '', cells.at(-2) ?? ''];
    }),
  );
};

/** The variables that the paragraph below a heading shares with the server; their meaning and default are in its table. */
const sharedBelow = (heading: string): readonly string[] =>
  /^Like the server's: ([^]*?)\.$/m.exec(sectionOf(heading))?.[1]?.match(/ROWGRAPH_\w+/g) ?? [];

/** The errors of a program when none of its variables is set. */
const complaints = (read: Either<string | readonly string[], unknown>): string =>
  isLeft(read) ? [read.left].flat().join('\n') : '';

describe('docs/settings.md', () => {
  it.each([
    ['Settings', SERVER_VARIABLES, ''],
    ['Variables of an export worker', WORKER_VARIABLES, complaints(decodeWorkerSettings({}))],
    ['Variables of a pod', Object.keys(PodEnvironment.props), complaints(readPodSettings({}))],
  ])('lists all variables of "%s" and which are required', (heading, variables, missing) => {
    const rows = rowsBelow(heading);
    const shared = sharedBelow(heading);
    expect([...rows.keys(), ...shared].sort()).toEqual([...variables].sort());
    expect(SERVER_VARIABLES).toEqual(expect.arrayContaining([...shared]));
    const required = [...rows].filter(([, last]) => last === 'required').map(([name]) => name);
    expect(required).toEqual([...rows.keys()].filter((name) => missing.includes(`${name} `)));
  });

  it('lists the variables of the command line', () => {
    const section = page.split('## Variables of the command line')[1] ?? '';
    for (const variable of CLIENT_VARIABLES) expect(section).toContain(`\`${variable}\``);
  });

  it('lists the real defaults of the server and the export worker', () => {
    const server = rowsBelow('Settings');
    const { port, internalPort, host, internalHost, logLevel } = expectRight(readSettings({}));
    const of = (...names: readonly string[]) => names.map((name) => server.get(`ROWGRAPH_${name}`));
    expect(of('PORT', 'INTERNAL_PORT', 'HOST', 'INTERNAL_HOST', 'LOG_LEVEL')).toEqual(
      [port, internalPort, host, internalHost, logLevel].map(String),
    );

    const worker = [...rowsBelow('Variables of an export worker')];
    const url = (name: string): string => (name.endsWith('_ROOT') ? 'file:///objects' : 'http://127.0.0.1');
    const least: Record<string, string> = {};
    for (const [name, last] of worker) if (last === 'required') least[name] = url(name);
    const { trino, token: _token, ...settings } = expectRight(decodeWorkerSettings(least));
    expect(trino).toBeNull();
    const values = new Map<string, string | number>(Object.entries(settings));
    const defaults = worker.filter(([, last]) => last !== 'required');
    expect(defaults).toEqual(defaults.map(([name]) => [name, String(values.get(name) ?? 'none')]));
  });
});

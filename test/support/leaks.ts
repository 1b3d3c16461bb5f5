import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MASKED, masked } from '../../adapters/system/log-options';

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_SETTINGS = [
  'ROWGRAPH_EDGE_TOKEN',
  'ROWGRAPH_INTERNAL_SECRET',
  'ROWGRAPH_WORKER_TOKEN',
  'ROWGRAPH_POD_TOKEN',
];
/** Files that the system creates in its data folder. */
const SECRET_FILES = ['internal-secret', 'database-url'];
const PASSWORD = /:\/\/[^:@/]*:([^@/]{4,})@/;
/** The query of a URL. */
const QUERY = /\?[\w.%-]+=/;

/** The secrets in settings and those that a system has created, which have no recognisable form. */
const secretsOf = (environment: Environment): readonly string[] => {
  const folder = environment['ROWGRAPH_DATA_DIR'] ?? '';
  const files = SECRET_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  const made = files.map((file) => readFileSync(file, 'utf8').trim());
  const given = SECRET_SETTINGS.map((name) => environment[name] ?? '');
  const addresses = [
    environment['ROWGRAPH_DATABASE_URL'] ?? '',
    environment['ROWGRAPH_EVENT_STORE_URL'] ?? '',
    ...made,
  ];
  const passwords = addresses.map((address) => PASSWORD.exec(address)?.[1] ?? '');
  return [...given, ...made, ...passwords].filter((secret) => secret !== '' && secret !== 'postgres');
};

/**
 * The lines of a log, of metrics or of a list of processes that contain a secret: slugs, keys, tokens, passwords,
 * queries of URLs. A masked secret counts, too: the line should name something else.
 */
export const leaksIn = (lines: readonly string[], environment: Environment = {}): readonly string[] => {
  const secrets = secretsOf(environment);
  return lines.filter(
    (line) =>
      line.includes(MASKED) ||
      masked(line) !== line ||
      QUERY.test(line) ||
      secrets.some((secret) => line.includes(secret)),
  );
};

/** Fails if there are lines with secrets. */
export const expectNoLeaks = (what: string, leaks: readonly string[]): void => {
  if (leaks.length > 0) throw new Error(`${what} contains secrets:\n${leaks.slice(0, 10).join('\n')}`);
};

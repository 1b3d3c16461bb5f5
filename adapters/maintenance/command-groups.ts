import { getPriority, setPriority } from 'node:os';
import { type Action, type ActionGroup, clientCommands } from '../cli';
import { option, yesOption } from '../cli/request-options';

/** Programs that work for long beside the live system leave it the processors. Only root may raise a priority again. */
const yieldProcessors = async (): Promise<void> => {
  const { priority } = (await import('../postgres/pool.js')).MAINTENANCE;
  if (getPriority() < priority) setPriority(priority);
};

/** Commands on the machine of the server, which open its database. */
const serverCommands: ActionGroup = {
  name: null,
  summary: '',
  actions: [
    {
      usage: 'rebuild <read-model>',
      summary: 'Rebuild a read model (or all) without downtime (server)',
      examples: ['rebuild all'],
      runLocally: async (context, given) => {
        await yieldProcessors();
        return (await import('./server-commands.js')).rebuild(given.argument(0), context);
      },
    },
    {
      usage: 'first-user <username>',
      summary: 'Create the first user, with the role ops (server)',
      examples: ['first-user olivia'],
      runLocally: async (context, given) =>
        (await import('./server-commands.js')).firstUser(given.argument(0), context),
    },
    {
      usage: 'verify',
      summary: 'Compare the read models with the log, and check it (server)',
      options: [
        option('--sample <percent>', 'compare this part of the rows, such as 5%'),
        option('--seals', 'check the seals of the log, and nothing else'),
        option('--expect <hash>', 'hash of a seal stored elsewhere, which the log must have'),
      ],
      examples: ['verify', 'verify --json', 'verify --sample 5%', 'verify --seals --expect 3fd2…'],
      runLocally: async (context, given) => {
        await yieldProcessors();
        return (await import('./verify-command.js')).verifySystem(given, context);
      },
    },
    {
      usage: 'time-machine',
      summary: 'Serve the state of an earlier moment, read-only (server)',
      options: [
        option('--as-of <moment>', 'ISO 8601 time, or X-Event-Position', { required: '--as-of is required.' }),
        option('--port <port>', 'port to listen on; 0: any', { kind: 'integer', required: '--port is required.' }),
      ],
      examples: ['time-machine --as-of 2026-01-31T12:00:00Z --port 8100'],
      runLocally: async (context, given) => {
        await yieldProcessors();
        return (await import('./time-machine-command.js')).runTimeMachine(given, context);
      },
    },
    {
      usage: 'new-key <username>',
      summary: 'Create an API key for a user without keys (server)',
      options: [option('--name <name>', 'name of the key (default: with the time)')],
      examples: ['new-key olivia'],
      runLocally: async (context, given) => {
        const { newKey } = await import('./server-commands.js');
        const name = given.text('name') ?? `created on the server at ${new Date().toISOString()}`;
        return newKey(given.argument(0), name, context);
      },
    },
  ],
};

const logCommands: ActionGroup = {
  name: 'log',
  summary: 'Show, move, save and restore the log of events (server)',
  actions: [
    {
      usage: 'show [stream]',
      summary: 'Print events of a stream or a position as lines of JSON',
      options: [
        option('--position <position>', 'position of one event in the log'),
        option('--from <revision>', 'first revision of the stream (default: 0)', { kind: 'integer' }),
        option('--limit <n>', 'maximum number of events (default: 100)', { kind: 'integer' }),
      ],
      examples: ['log show instance-42 --from 3', 'log show --position 61'],
      runLocally: async (context, given) => (await import('./log-show-command.js')).showLog(given, context),
    },
    {
      usage: 'adopt',
      summary: 'Follow the log of the event store from its start (stopped)',
      options: [yesOption],
      examples: ['log adopt --yes'],
      runLocally: async (context, given) => (await import('./log-file-commands.js')).adoptLog(given, context),
    },
    {
      usage: 'copy',
      summary: 'Move the log to the other event store (stopped)',
      options: [
        option('--from <store>', 'source: postgres or eventstoredb'),
        option('--to <store>', 'destination: postgres or eventstoredb'),
      ],
      examples: ['log copy --from postgres --to eventstoredb'],
      runLocally: async (context, given) =>
        (await import('./log-copy-command.js')).copyLogCommand(given.text('from'), given.text('to'), context),
    },
    {
      usage: 'export <file>',
      summary: 'Write the log to a file as lines of JSON (stopped)',
      examples: ['log export rowgraph-log.ndjson'],
      runLocally: async (context, given) =>
        (await import('./log-file-commands.js')).exportLogCommand(given.argument(0), context),
    },
    {
      usage: 'import <file>',
      summary: 'Import an exported log into an empty system (stopped)',
      examples: ['log import rowgraph-log.ndjson'],
      runLocally: async (context, given) =>
        (await import('./log-file-commands.js')).importLogCommand(given.argument(0), context),
    },
  ],
};

const describeCommand: Action = {
  usage: 'describe <file>',
  summary: 'Fix how a CSV file is read, in <file>.yaml (server)',
  options: [
    option('--delimiter <text>', 'separator, such as ";" or tab'),
    option('--header <yes|no>', 'whether the first row has the names', { choices: ['yes', 'no'] }),
  ],
  examples: ['catalog describe .rowgraph/warehouse/shop/raw/people.csv --delimiter ";"'],
  runLocally: async (_context, given) => (await import('./describe-csv-command.js')).describeCsv(given),
};

const allClientCommands = clientCommands.map((group) =>
  group.name === 'catalog' ? { ...group, actions: [...group.actions, describeCommand] } : group,
);

/** All commands of `rowgraph`: those of a client, and those on the machine of the server. */
export const commandGroups: readonly ActionGroup[] = [...allClientCommands, serverCommands, logCommands];

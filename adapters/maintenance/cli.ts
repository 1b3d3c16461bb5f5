#!/usr/bin/env node
import { type ActionGroup, clientCommands, processTerminal, runProgram } from '../cli';
import { yesOption } from '../cli/confirm';
import { packageVersion } from '../system/package-root';

/** Commands for the machine rowgraph runs on: they open its database, and load what that takes only when asked. */
const serverCommands: ActionGroup = {
  name: null,
  summary: '',
  actions: [
    {
      usage: 'rebuild <read-model>',
      summary: 'On the server: fill a read model (or all) again from the log while the present one goes on serving',
      examples: ['rebuild all'],
      runLocally: async (context, given) => {
        const { rebuild } = await import('./rebuild-command.js');
        return rebuild(given.argument(0), context);
      },
    },
    {
      usage: 'new-key <username>',
      summary: 'On the server: make an API key for a user who has none any more',
      options: [{ flags: '--name <name>', description: 'what the key is called (default: a name with the time)' }],
      examples: ['new-key olivia'],
      runLocally: async (context, given) => {
        const { newKey } = await import('./new-key-command.js');
        const name = given.text('name') ?? `made on the server at ${new Date().toISOString()}`;
        return newKey(given.argument(0), name, context);
      },
    },
  ],
};

const STOPPED = 'On the server, while rowgraph is stopped:';

const logCommands: ActionGroup = {
  name: 'log',
  summary: 'On the server: read, move, save and bring back the log of events',
  actions: [
    {
      usage: 'show [stream]',
      summary: 'On the server: print events of a stream, or the one at a position, a line of JSON for each',
      options: [
        { flags: '--position <position>', description: 'show the event at exactly this position of the log' },
        { flags: '--from <revision>', description: 'first revision of the stream (default: 0)', kind: 'integer' },
        { flags: '--limit <n>', description: 'most events of the stream (default: 100)', kind: 'integer' },
      ],
      examples: ['log show instance-42 --from 3', 'log show --position 61'],
      runLocally: async (context, given) => {
        const { showLog } = await import('./log-show-command.js');
        return showLog(given, context);
      },
    },
    {
      usage: 'adopt',
      summary: `${STOPPED} give up the read models and follow the log in the event store from its first event on`,
      options: [yesOption],
      examples: ['log adopt --yes'],
      runLocally: async (context, given) => {
        const { adoptLog } = await import('./log-adopt-command.js');
        return adoptLog(given, context);
      },
    },
    {
      usage: 'copy',
      summary: `${STOPPED} move the log to the other event store, with all checkpoints`,
      options: [
        { flags: '--from <store>', description: 'where it is: postgres or eventstoredb' },
        { flags: '--to <store>', description: 'where it goes' },
      ],
      examples: ['log copy --from postgres --to eventstoredb'],
      runLocally: async (context, given) => {
        const { copyLogCommand } = await import('./log-copy-command.js');
        return copyLogCommand(given.text('from'), given.text('to'), context);
      },
    },
    {
      usage: 'export <file>',
      summary: `${STOPPED} write the log to a file, a line of JSON for each event`,
      examples: ['log export rowgraph-log.ndjson'],
      runLocally: async (context, given) => {
        const { exportLogCommand } = await import('./log-export-command.js');
        return exportLogCommand(given.argument(0), context);
      },
    },
    {
      usage: 'import <file>',
      summary: `${STOPPED} bring an exported log into a system that has none`,
      examples: ['log import rowgraph-log.ndjson'],
      runLocally: async (context, given) => {
        const { importLogCommand } = await import('./log-import-command.js');
        return importLogCommand(given.argument(0), context);
      },
    },
  ],
};

runProgram(process.argv.slice(2), {
  groups: [...clientCommands, serverCommands, logCommands],
  version: packageVersion,
  environment: process.env,
  terminal: processTerminal(),
}).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`rowgraph failed unexpectedly: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);

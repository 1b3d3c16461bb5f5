#!/usr/bin/env node
import { processTerminal, runProgram } from '../cli';
import { packageVersion } from '../system/package-root';
import { commandGroups } from './command-groups';

runProgram(process.argv.slice(2), {
  groups: commandGroups,
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

import { Agent } from 'node:http';
import { type Outcome } from '../../adapters/cli/action';
import { runTimeMachine } from '../../adapters/maintenance/time-machine-command';
import { type ApiClient, apiClient } from './api-client';
import { terminalOf } from './command-line';
import { expectRight } from './given-when-then';
import { waitFor } from './wait-for';

type Environment = Readonly<Record<string, string>>;
export type Printed = Parameters<typeof terminalOf>[0];

/** Runs `rowgraph time-machine` until `stop` aborts. */
export const startTimeMachine = (
  environment: Environment,
  asOf: string,
  port: number,
  stop: AbortSignal,
  printed: Printed = { out: '', errors: '' },
): Outcome =>
  runTimeMachine(
    { text: () => asOf, integer: () => port },
    { terminal: { ...terminalOf(printed), interrupted: () => stop }, environment },
  );

/** What a test does while a time machine shows a position of the log. */
export type WithMachine = (as: (user: string | null) => ApiClient, position: string, url: string) => Promise<void>;

/** Runs some work while a time machine serves a moment. */
export const withTimeMachine = async (environment: Environment, asOf: string, work: WithMachine): Promise<void> => {
  const [stop, printed, agent] = [new AbortController(), { out: '', errors: '' }, new Agent({ keepAlive: true })];
  const ended = startTimeMachine(environment, asOf, 0, stop.signal, printed);
  const settled = { failure: '' };
  ended.then((outcome) => (settled.failure = JSON.stringify(outcome))).catch(() => undefined);
  await waitFor('a time machine', () => printed.out !== '' || settled.failure !== '');
  const [, url = '', position = ''] = /^(\S+) shows position (\d+) of the log/.exec(printed.out) ?? [];
  if (url === '') throw new Error(`No time machine: ${settled.failure}${printed.errors}`);
  try {
    await work((user) => apiClient(url, user, agent), position, url);
  } finally {
    agent.destroy();
    stop.abort();
    expectRight(await ended);
  }
};

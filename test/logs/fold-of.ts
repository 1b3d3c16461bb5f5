import { isLeft } from 'fp-ts/Either';
import {
  accessTokensOfInstances,
  apiKeysOfUsers,
  bulkDeletions,
  capacities,
  configs,
  exportJobs,
  favoritesOfUsers,
  instances,
  jobs,
  mappings,
  opsGuards,
  parkedEventRetries,
  savedQueriesOfUsers,
  snapshots,
  testCleanups,
  users,
} from '../../commands/kit/aggregates';
import { allProcesses, type AnyProcess, type ProcessState } from '../../commands/processes/process-state';
import { allEvents, type StreamCategory } from '../../domain/events';
import { type DomainEvent, type StoredEvent } from '../../domain/kernel/event';
import { decodeEventData } from '../../domain/kernel/event-catalogue';
import { type ProcessOutput, type ProcessSignal } from '../../domain/kernel/process';
import { type ProcessCommand, type ProcessEvent } from '../../domain/processes';
import { canonicalText } from './canonical-text';

/** The fold of one stream by its decider or process. */
export interface Fold {
  /** Takes the next event; for a process, returns what it decides, null for an event that records a decision. */
  take(event: StoredEvent): string | null;
  /** The present state. */
  state(): string;
}

/** How an aggregate folds its events: the type that all of them have. */
interface AnyDecider {
  readonly initial: unknown;
  readonly evolve: (state: unknown, event: DomainEvent) => unknown;
}

const AGGREGATES: Readonly<Record<Exclude<StreamCategory, `process_${string}`>, { readonly decider: unknown }>> = {
  user: users,
  user_bootstrap: users,
  ops_guard: opsGuards,
  api_keys: apiKeysOfUsers,
  access_tokens: accessTokensOfInstances,
  config: configs,
  favorites: favoritesOfUsers,
  saved_queries: savedQueriesOfUsers,
  mapping: mappings,
  snapshot: snapshots,
  export_job: exportJobs,
  instance: instances,
  capacity: capacities,
  bulk_deletion: bulkDeletions,
  test_cleanup: testCleanups,
  job: jobs,
  parked_events: parkedEventRetries,
  /** The newest seal. */
  seals: { decider: { initial: null, evolve: (_: unknown, { data }: DomainEvent): unknown => data } },
};

/** A new fold of a stream; the events must be decoded. */
export const foldOf = (streamId: string): Fold => {
  const category = streamId.slice(0, streamId.indexOf('-'));
  const process = allProcesses.find(({ name }) => category === `process_${name}`);
  if (process !== undefined) return foldOfProcess(process, streamId.slice(category.length + 1));
  const aggregates: Readonly<Record<string, { readonly decider: unknown }>> = AGGREGATES;
  const decider = aggregates[category]?.decider;
  if (decider === undefined) throw new Error(`No aggregate folds the stream ${streamId}; add it to AGGREGATES.`);
  // Its catalogue has decoded the events of its own streams.
  const { initial, evolve } = decider as AnyDecider;
  let state = initial;
  return {
    take: (event) => {
      state = evolve(state, event);
      return null;
    },
    state: () => canonicalText(state),
  };
};

const foldOfProcess = (process: AnyProcess, id: string): Fold => {
  let state: ProcessState = process.memory.decider.initial;
  let commandId: string | null = null;
  return {
    take: (stored) => {
      // The catalogue has decoded it.
      const event = stored as StoredEvent<ProcessEvent>;
      const isFirst = event.metadata.commandId !== commandId;
      commandId = event.metadata.commandId;
      const decision = isFirst ? decisionOn(process, id, state, event) : null;
      state = process.memory.decider.evolve(state, event);
      return decision;
    },
    state: () => canonicalText(state),
  };
};

/** What a process decides on the event that begins a step. The log does not say how a command ended, so both ends count. */
const decisionOn = (
  process: AnyProcess,
  id: string,
  before: ProcessState,
  event: StoredEvent<ProcessEvent>,
): string => {
  const now = new Date(event.metadata.occurredAt);
  const decide = (input: DomainEvent | ProcessSignal<ProcessCommand>): string =>
    process.decide(before.state, input, { id, now }).map(textOf).join('; ') || 'nothing';
  switch (event.type) {
    case 'ProcessInputReceived': {
      const input = decodeEventData(allEvents, event.data.input, `in ${event.streamId}@${event.revision}`);
      return isLeft(input) ? input.left.message : decide(input.right);
    }
    case 'ProcessTimerCleared':
      return decide({ type: 'TimerFired', data: { timerId: event.data.timerId } });
    case 'ProcessCommandDone': {
      const command = before.openCommands.get(event.data.queuedRevision)?.command;
      if (command === undefined) return `The command of revision ${event.data.queuedRevision} is not open.`;
      const succeeded = decide({ type: 'CommandSucceeded', data: { command } });
      const refused = decide({ type: 'CommandRefused', data: { command, code: 'REFUSED', message: 'refused' } });
      return `succeeded: ${succeeded} | refused: ${refused}`;
    }
    case 'ProcessCommandQueued':
    case 'ProcessTimerSet':
      return 'The step begins with an output.';
  }
};

const textOf = (output: ProcessOutput<ProcessCommand>): string => {
  const { kind, ...fields } = output.kind === 'command' ? { ...output.command, kind: output.command.type } : output;
  return [
    kind,
    ...Object.entries(fields).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : canonicalText(value)}`,
    ),
  ].join(' ');
};

import { type Either, left } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { type ProgressStep } from '../../../adapters/contracts/graph-pod/reports';

/** An edge type may have the name of a label. */
type StepId = Required<Pick<ProgressStep, 'name' | 'type'>>;

export interface LoadProgress {
  readonly phase: LoadPhase;
  readonly steps: readonly ProgressStep[];
}

/** The definitions of a mapping in the order of loading. */
export const tablesOf = ({ node_definitions, edge_definitions }: InstanceMapping): readonly StepId[] => [
  ...node_definitions.map(({ label }) => ({ type: 'node' as const, name: label })),
  ...edge_definitions.map(({ type }) => ({ type: 'edge' as const, name: type })),
];

/** Tracks a load: one step per definition, repeated for every phase. */
export type ProgressTracker = ReturnType<typeof trackProgress>;

/** Calls back with the whole state after every change. */
export const trackProgress = (mapping: InstanceMapping, onChange: (progress: LoadProgress) => void) => {
  let phase: LoadPhase = 'starting';
  let steps: readonly ProgressStep[] = tablesOf(mapping).map((table) => ({ ...table, status: 'pending' }));
  return {
    phase: (): LoadPhase => phase,
    enter: (next: LoadPhase): void => {
      phase = next;
      onChange({ phase, steps });
    },
    update: ({ name, type }: StepId, change: Omit<ProgressStep, keyof StepId>): void => {
      steps = steps.map((step) => (step.name === name && step.type === type ? { ...step, ...change } : step));
      onChange({ phase, steps });
    },
  };
};

/** Why an instance could not be loaded. */
export interface LoadFailure {
  readonly code:
    'STARTUP_FAILED' | 'MAPPING_FETCH_ERROR' | 'SCHEMA_CREATE_ERROR' | 'DATA_LOAD_ERROR' | 'DATABASE_ERROR';
  readonly phase: LoadPhase;
  readonly message: string;
}

type LoadPhase =
  | 'starting'
  | 'fetching_mapping'
  | 'downloading'
  | 'checking'
  | 'creating_schema'
  | 'loading_nodes'
  | 'loading_edges'
  | 'ready';

export const failed = (code: LoadFailure['code'], phase: LoadPhase, message: string): Either<LoadFailure, never> =>
  left({ code, phase, message });

/** The error code for the control plane; failures of FalkorDB itself have their own. */
export const reportedCode = ({ code }: LoadFailure, kind: 'graphdb_a' | 'graphdb_b'): string =>
  kind === 'graphdb_b' && (code === 'DATABASE_ERROR' || code === 'SCHEMA_CREATE_ERROR') ? `GRAPHDB_B_${code}` : code;

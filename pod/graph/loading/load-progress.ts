import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { type ProgressStep } from '../../../adapters/contracts/graph-pod/reports';
import { type LoadPhase } from './load-failure';

/** An edge type may be called like a label. */
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

/** Follows a load: one step per definition, repeated for every phase. */
export type ProgressTracker = ReturnType<typeof trackProgress>;

/** Calls back with the whole state after every change. */
export const trackProgress = (mapping: InstanceMapping, onChange: (progress: LoadProgress) => void) => {
  let phase: LoadPhase = 'starting';
  let steps: readonly ProgressStep[] = tablesOf(mapping).map((table) => ({ ...table, status: 'pending' }));
  return {
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

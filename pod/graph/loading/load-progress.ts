import { type ProgressStep } from '../../../adapters/contracts/graph-pod/reports';
import { type LoadPhase } from './load-failure';

/** An edge type may be called like a label. */
type StepId = Required<Pick<ProgressStep, 'name' | 'type'>>;

export interface LoadProgress {
  readonly phase: LoadPhase;
  readonly steps: readonly ProgressStep[];
}

/** Follows a load: one step per definition, repeated for every phase. */
export interface ProgressTracker {
  readonly enter: (phase: LoadPhase) => void;
  readonly update: (step: StepId, change: Pick<ProgressStep, 'status'> & Partial<ProgressStep>) => void;
}

/** Calls back with the whole state after every change. */
export const trackProgress = (
  definitions: readonly StepId[],
  onChange: (progress: LoadProgress) => void,
): ProgressTracker => {
  let phase: LoadPhase = 'starting';
  let steps: readonly ProgressStep[] = definitions.map((definition) => ({ ...definition, status: 'pending' }));
  return {
    enter: (next) => {
      phase = next;
      onChange({ phase, steps });
    },
    update: ({ name, type }, change) => {
      steps = steps.map((step) => (step.name === name && step.type === type ? { ...step, ...change } : step));
      onChange({ phase, steps });
    },
  };
};

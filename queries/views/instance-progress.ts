import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';

export const StepStatus = t.keyof({ pending: null, in_progress: null, completed: null, failed: null });
export type StepStatus = t.TypeOf<typeof StepStatus>;

/** One definition as a part of a step. */
const TableStep = t.intersection([
  t.strict({ name: t.string, type: t.keyof({ node: null, edge: null }), status: StepStatus }),
  t.partial({ row_count: t.number, completed_at: t.string }),
]);
export type TableStep = t.TypeOf<typeof TableStep>;

const Step = t.intersection([
  t.strict({ name: t.string, status: StepStatus }),
  t.partial({ completed_at: t.string, tables: t.readonlyArray(TableStep) }),
]);
export type Step = t.TypeOf<typeof Step>;

/** The progress of an instance. The fields depend on its state. */
export const InstanceProgress = t.intersection([
  t.strict({ id: t.number, status: t.string, phase: t.string, started_at: nullable(t.string) }),
  t.partial({
    steps: t.readonlyArray(Step),
    completed_steps: t.number,
    total_steps: t.number,
    elapsed_seconds: t.number,
    /**
     * Why the pod has not started yet, in the text of what runs it: an image pull, no node with free capacity, a quota.
     */
    detail: t.string,
    ready_at: nullable(t.string),
    startup_duration_seconds: t.number,
    error_code: nullable(t.string),
    error_message: nullable(t.string),
  }),
]);
export type InstanceProgress = t.TypeOf<typeof InstanceProgress>;

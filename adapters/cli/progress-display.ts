import { isLeft, left, right } from 'fp-ts/Either';
import { counted } from '../../domain/kernel/counted';
import { type ApiClient, type InstanceProgress } from '../client';
import { pause } from '../system/retry';
import { type Answer, answered, failed } from './failure';

export type Progress = Pick<InstanceProgress, 'status' | 'phase' | 'steps'>;

export interface Screen {
  readonly isTTY: boolean;
  readonly write: (text: string) => boolean;
}

const BAR = 24;

/** The start of an instance: on a terminal one bar per step, redrawn in place; elsewhere one line per changed step. */
export const progressDisplay = (out: Screen): ((progress: Progress) => void) => {
  let last: readonly Step[] = [];
  return (progress) => {
    const steps = stepsOf(progress, last);
    if (out.isTTY && last.length > 0) out.write(`\u001b[${last.length}A`);
    steps.forEach((step, index) => {
      const isChanged = step.status !== 'pending' && last[index]?.status !== step.status;
      if (out.isTTY) out.write(`\u001b[2K  ${stepLine(step)}\n`);
      else if (isChanged) out.write(`  ${label(step.name)}: ${state(step)}\n`);
    });
    last = steps;
  };
};

type Step = NonNullable<Progress['steps']>[number];

/**
 * A running instance does not report steps: the last known steps are complete, and their last row counts may be too
 * low.
 */
const stepsOf = ({ steps }: Progress, last: readonly Step[]): readonly Step[] =>
  steps ?? last.map((step) => (step.status === 'completed' ? step : { name: step.name, status: 'completed' }));

const stepLine = (step: Step): string => {
  const tables = step.tables ?? [];
  const done = tables.filter(({ status }) => status === 'completed').length;
  const share = step.status === 'completed' ? 1 : tables.length === 0 ? 0 : done / tables.length;
  const filled = Math.round(share * BAR);
  return `${label(step.name).padEnd(18)} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${state(step)}`;
};

const state = (step: Step): string => {
  const tables = step.tables ?? [];
  const rows = tables.reduce((sum, table) => sum + (table.row_count ?? 0), 0);
  const read = rows > 0 ? `, ${counted(rows, 'row', rows.toLocaleString('en-US'))}` : '';
  const done = tables.filter(({ status }) => status === 'completed').length;
  if (step.status === 'in_progress' && tables.length > 0) {
    return `table ${Math.min(done + 1, tables.length)} of ${tables.length}${read}`;
  }
  if (step.status === 'completed') return `done${read}`;
  return step.status.replace('_', ' ');
};

const label = (name: string): string => name.replaceAll('_', ' ');

const POLL_MS = 200;

/** Polls an instance until it runs; `left` if it fails, ends or the signal is aborted. */
export const untilRunning = async (
  api: ApiClient,
  id: number,
  show: (progress: Progress) => void,
  signal: AbortSignal,
): Answer<undefined> => {
  while (!signal.aborted) {
    const polled = await answered(api.getInstanceProgress({ params: { id } }), ({ data }) => data);
    if (isLeft(polled)) return polled;
    const progress = polled.right;
    show(progress);
    if (progress.status === 'running') return right(undefined);
    if (progress.status === 'failed') {
      const reason = `${progress.error_message ?? 'unknown error'} (${progress.error_code ?? 'no code'})`;
      return left(failed(`Instance ${id} failed: ${reason}`, `See: rowgraph instances show ${id}`));
    }
    if (progress.status === 'stopping') return left(failed(`Instance ${id} is being deleted.`));
    await pause(POLL_MS, signal);
  }
  return left({
    exitCode: 130,
    lines: [
      '',
      `Instance ${id} continues to start. See: rowgraph instances wait ${id}`,
      `To delete it: rowgraph instances delete ${id}`,
    ],
  });
};

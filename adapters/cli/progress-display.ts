import { type InstanceProgress } from '../client';

export type Progress = Pick<InstanceProgress, 'status' | 'phase' | 'steps'>;

/** Shows how an instance comes up. */
export interface ProgressDisplay {
  readonly show: (progress: Progress) => void;
}

/** Where it is shown. */
export interface Screen {
  readonly isTTY: boolean;
  readonly write: (text: string) => boolean;
}

const BAR = 24;

/** One bar per step on a terminal, redrawn in place; elsewhere a plain line whenever a step changes. */
export const progressDisplay = (out: Screen): ProgressDisplay =>
  out.isTTY ? barDisplay(out) : lineDisplay((line) => out.write(`  ${line}\n`));

const barDisplay = (out: Screen): ProgressDisplay => {
  let drawn = 0;
  let last: readonly Step[] = [];
  const draw = (steps: readonly Step[]): void => {
    if (drawn > 0) out.write(`\u001b[${drawn}A`);
    for (const step of steps) out.write(`\u001b[2K  ${stepLine(step)}\n`);
    drawn = steps.length;
  };
  return {
    show: (progress) => {
      last = stepsOf(progress, last);
      draw(last);
    },
  };
};

/** A line for each step that has begun or ended since the last look. */
const lineDisplay = (print: (line: string) => void): ProgressDisplay => {
  let last: readonly Step[] = [];
  return {
    show: (progress) => {
      const steps = stepsOf(progress, last);
      steps.forEach((step, index) => {
        const before = last[index];
        if (step.status !== 'pending' && before?.status !== step.status) print(`${label(step.name)}: ${words(step)}`);
      });
      last = steps;
    },
  };
};

type Step = NonNullable<Progress['steps']>[number];

/** A running instance lists no steps any more: everything known before is done. */
const stepsOf = (progress: Progress, last: readonly Step[]): readonly Step[] =>
  progress.steps ??
  last.map((step) => ({
    ...step,
    status: 'completed',
    ...(step.tables === undefined ? {} : { tables: step.tables.map((table) => ({ ...table, status: 'completed' })) }),
  }));

const stepLine = (step: Step): string => {
  const tables = step.tables ?? [];
  const done = tables.filter(({ status }) => status === 'completed').length;
  const share = step.status === 'completed' ? 1 : tables.length === 0 ? 0 : done / tables.length;
  const filled = Math.round(share * BAR);
  return `${label(step.name).padEnd(18)} ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${words(step)}`;
};

const words = (step: Step): string => {
  const tables = step.tables ?? [];
  const rows = tables.reduce((sum, table) => sum + (table.row_count ?? 0), 0);
  const counted = rows > 0 ? `, ${rows.toLocaleString('en-US')} rows` : '';
  const done = tables.filter(({ status }) => status === 'completed').length;
  if (step.status === 'in_progress' && tables.length > 0) return `${done} of ${tables.length}${counted}`;
  if (step.status === 'completed') return `done${counted}`;
  return step.status.replace('_', ' ');
};

const label = (name: string): string => name.replaceAll('_', ' ');

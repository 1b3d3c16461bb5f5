import { type Progress, progressDisplay } from '../../../adapters/cli/progress-display';

type Status = NonNullable<Progress['steps']>[number]['status'];

const exporting = (status: Status, rows: readonly number[]): Progress => ({
  status: 'waiting_for_snapshot',
  phase: 'exporting',
  steps: [
    {
      name: 'exporting',
      status,
      tables: ['A', 'B'].map((name, index) => {
        const count = rows[index];
        const table = { name, type: 'node' as const };
        return count === undefined
          ? { ...table, status: 'pending' }
          : { ...table, status: 'completed', row_count: count };
      }),
    },
    { name: 'loading_nodes', status: 'pending' },
  ],
});
const running: Progress = { status: 'running', phase: 'ready' };

const shownOn = (isTTY: boolean, ...states: readonly Progress[]): string => {
  let text = '';
  const show = progressDisplay({ isTTY, write: (chunk: string) => (text += chunk).length > 0 });
  states.forEach((state) => show(state));
  return text;
};

test('each step prints one line when it starts and one when it ends, without a terminal', () => {
  const states = [
    exporting('in_progress', []),
    exporting('in_progress', [5]),
    exporting('completed', [5, 1200]),
    running,
  ];

  expect(shownOn(false, ...states)).toBe(
    ['  exporting: table 1 of 2', '  exporting: done, 1,205 rows', '  loading nodes: done', ''].join('\n'),
  );
});

test('a step whose end was not reported has no row count, since the last count may be too low', () => {
  expect(shownOn(false, exporting('in_progress', [5]), running)).toContain('  exporting: done\n');
});

test('one bar per step is redrawn in place on a terminal', () => {
  const text = shownOn(true, exporting('in_progress', [5]), exporting('completed', [5, 6]));

  expect(text).toContain(`exporting          ${'█'.repeat(12)}${'░'.repeat(12)} table 2 of 2, 5 rows`);
  expect(text).toContain('\u001b[2A');
  expect(text).toContain(`exporting          ${'█'.repeat(24)} done, 11 rows`);
});

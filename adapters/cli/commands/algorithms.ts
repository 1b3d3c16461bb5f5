import { isLeft, left, right } from 'fp-ts/Either';
import { mapRight } from '../../../domain/kernel/either';
import { pause } from '../../system/retry';
import { type Action, type ActionGroup, type CommandInput, type Outcome } from '../action';
import { type Algorithms, falkordbAlgorithms, STATES } from '../algorithms/algorithms';
import { podAlgorithms } from '../algorithms/pod-algorithms';
import { DEFAULT_TOP, runOutput } from '../algorithms/run-output';
import { wholeRecord } from '../command';
import { type Session } from '../connection';
import { failed, usageError } from '../failure';
import { onGraph } from '../find-one';
import { emptyNote, sectionOf, tableOf } from '../output';
import { parametersOf } from '../read-input';
import { option } from '../request-options';
import { type Terminal, writeText } from '../terminal';

const POLL_MS = 200;

const topOption = option('--top <n>', `the n highest values or largest groups (tables: ${DEFAULT_TOP})`, {
  kind: 'integer',
});
const libraryOption = option('--library', 'use the graph library, not the native one (graphdb_a)');

const onAlgorithms = (
  declaration: Parameters<typeof onGraph>[0],
  use: (algorithms: Algorithms, input: CommandInput, id: number, session: Session) => Outcome,
): Action =>
  onGraph(declaration, ({ kind, pod, id }, input, session) =>
    use(kind === 'graphdb_a' ? podAlgorithms(pod) : falkordbAlgorithms(pod), input, id, session),
  );

const list = onAlgorithms(
  {
    usage: 'list <instance>',
    summary: 'List algorithms: native ones and those of the graph library',
    options: [
      option('--category <name>', 'filter by category'),
      option('--search <text>', 'filter by text in name or description'),
    ],
  },
  async (algorithms, input) => {
    const all = await algorithms.list();
    if (isLeft(all)) return all;
    const [category, search = ''] = [input.text('category'), input.text('search')?.toLowerCase()];
    const data = all.right.filter(
      (one) =>
        (category === undefined || one.category === category) &&
        `${one.name} ${one.description}`.toLowerCase().includes(search),
    );
    const table = tableOf(data, {
      name: 'name',
      native: ({ native }) => (native ? 'yes' : ''),
      category: 'category',
      returns: 'returns',
      description: 'description',
    });
    return right({ data, table, note: emptyNote(data) });
  },
);

/** Fields shown as a table or only by --json. */
const NESTED = ['parameters', 'params', 'example'];

const show = onAlgorithms(
  { usage: 'show <instance> <algorithm>', summary: 'Show an algorithm and its parameters', options: [libraryOption] },
  async (algorithms, input) => {
    const shown = await algorithms.show(input.argument(1), input.flag('library'));
    if (isLeft(shown)) return shown;
    const { data, parameters } = shown.right;
    const record = wholeRecord(data).filter(([name]) => !NESTED.includes(name));
    const section = sectionOf('Parameters', parameters, {
      name: 'name',
      type: 'type',
      default: (one) => (one.required ? 'required' : one.default),
      description: 'description',
    });
    return right({ data, record, sections: [section] });
  },
);

const run = onAlgorithms(
  {
    usage: 'run <instance> <algorithm>',
    summary: 'Run an algorithm; store its values on nodes or print them',
    takesCsv: true,
    options: [
      option('-p, --parameter <name=value>', 'parameter of the algorithm; repeatable', { kind: 'list' }),
      option('--write-to <property>', 'store the values in this node property'),
      option('-l, --label <label>', 'label of the nodes (default: all); repeatable', { kind: 'list' }),
      option('-e, --edge-type <type>', 'type of the edges (default: all); repeatable', { kind: 'list' }),
      option('--directed', 'follow edges only in their direction'),
      option('--weight <property>', 'edge property with the weight'),
      option('--from <key>', 'first node of a path, by its primary key'),
      option('--to <key>', 'last node of a path'),
      option('--timeout <seconds>', 'time limit', { kind: 'integer' }),
      libraryOption,
      option('-w, --wait', 'wait for the result'),
      topOption,
    ],
    examples: [
      'algorithms run 1 pagerank --write-to rank -p damping=0.9 --wait',
      'algorithms run 1 degree_centrality -l Account -w --csv > degrees.csv',
      'algorithms run 1 shortest_path --from AC-100013 --to AC-107932 --wait',
    ],
  },
  async (algorithms, input, id, { terminal }) => {
    const parameters = parametersOf(input.texts('parameter'));
    if (isLeft(parameters)) return parameters;
    const [seconds, top, name] = [input.integer('timeout'), input.integer('top'), input.argument(1)];
    if (top !== undefined && input.text('write-to') !== undefined) {
      return left(usageError('--top does not apply to values that --write-to stores; query the property.'));
    }
    const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
    const started = await algorithms.start({ name, parameters: parameters.right, timeoutMs, top, input });
    if (isLeft(started)) return started;
    const { execution_id: runId, warnings = [] } = started.right;
    if (input.flag('wait')) {
      for (const warning of warnings) writeText(terminal.errors, `${warning}\n`);
      const ended = await untilEnded(algorithms, id, runId, top, terminal);
      const isNew = (warning: string): boolean => !warnings.includes(warning);
      return mapRight(ended, (output) => ({ ...output, warnings: output.warnings?.filter(isNew) }));
    }
    return right({
      data: started.right,
      warnings,
      text: `Started ${name} as run ${runId}.`,
      note: `See: rowgraph algorithms status ${id} ${runId}`,
    });
  },
);

const untilEnded = async (
  algorithms: Algorithms,
  id: number,
  runId: string,
  top: number | undefined,
  { interrupted }: Terminal,
): Outcome => {
  const signal = interrupted();
  while (!signal.aborted) {
    const polled = await algorithms.status(runId);
    if (isLeft(polled)) return polled;
    const { status: state, error } = polled.right;
    if (state === 'failed') return left(failed(`Run ${runId} failed: ${error ?? 'no reason given'}`));
    if (state === 'cancelled') return left(failed(`Run ${runId} was cancelled.`));
    if (state === 'completed') return right(runOutput(polled.right, top));
    await pause(POLL_MS, signal);
  }
  return left({
    exitCode: 130,
    lines: [
      '',
      `The run continues. See: rowgraph algorithms status ${id} ${runId}`,
      `To cancel it: rowgraph algorithms cancel ${id} ${runId}`,
    ],
  });
};

const status = onAlgorithms(
  {
    usage: 'status <instance> <run>',
    summary: 'Show the state and result of a run',
    takesCsv: true,
    options: [topOption],
  },
  async (algorithms, input) =>
    mapRight(await algorithms.status(input.argument(1)), (run) => runOutput(run, input.integer('top'))),
);

const cancel = onAlgorithms(
  { usage: 'cancel <instance> <run>', summary: 'Cancel a run in progress' },
  async (algorithms, input) => {
    const runId = input.argument(1);
    return mapRight(await algorithms.cancel(runId), (data) => ({ data, text: `Cancelled run ${runId}.` }));
  },
);

const history = onAlgorithms(
  {
    usage: 'history <instance>',
    summary: 'List the latest runs, newest first',
    options: [
      option('--status <status>', 'filter by status', { choices: STATES }),
      option('--limit <n>', 'number of runs (default 20, at most 100)', { kind: 'integer' }),
    ],
  },
  async (algorithms, input) => {
    const wanted = STATES.find((state) => state === input.text('status'));
    const found = await algorithms.history({
      limit: input.integer('limit'),
      status_filter: wanted,
    });
    if (isLeft(found)) return found;
    const { data, runs } = found.right;
    const table = tableOf(runs, {
      run: 'execution_id',
      algorithm: 'algorithm',
      status: 'status',
      by: 'user_name',
      started: 'started_at',
      seconds: (one) => one.duration_seconds ?? one.elapsed_seconds,
    });
    return right({ data, table, note: emptyNote(runs, 'No runs yet.') });
  },
);

export const algorithmCommands: ActionGroup = {
  name: 'algorithms',
  summary: 'Run algorithms on the graph of an instance',
  actions: [list, show, run, status, cancel, history],
};

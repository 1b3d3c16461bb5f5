import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, left, map, right } from 'fp-ts/Either';
import { type Action, type ActionGroup, type CommandInput, type OptionSpec, type Outcome, present } from '../action';
import { type Algorithms, type Run, STATES } from '../algorithms/algorithms';
import { falkordbAlgorithms } from '../algorithms/falkordb-algorithms';
import { kuzuAlgorithms } from '../algorithms/kuzu-algorithms';
import { runOutput } from '../algorithms/run-output';
import { type Session } from '../connection';
import { failed } from '../failure';
import { onGraph } from '../find-graph';
import { tableOf } from '../output';
import { parametersOf } from '../query-parameters';
import { type Terminal } from '../terminal';

const POLL_MS = 200;
const DEFAULT_TOP = 25;

const topOption: OptionSpec = {
  flags: '--top <n>',
  description: `only so many values, the highest (default: ${DEFAULT_TOP} in tables; CSV, TSV and JSON have all)`,
  kind: 'integer',
};
const libraryOption: OptionSpec = {
  flags: '--library',
  description: 'the graph library’s, where the instance has one of its own with this name (graphdb_a)',
};

/** A command about the algorithms of one instance. */
const onAlgorithms = (
  declaration: Parameters<typeof onGraph>[0],
  use: (algorithms: Algorithms, input: CommandInput, id: number, session: Session) => Outcome,
): Action =>
  onGraph(declaration, ({ kind, pod, id }, input, session) =>
    use(kind === 'graphdb_a' ? kuzuAlgorithms(pod) : falkordbAlgorithms(pod), input, id, session),
  );

const list = onAlgorithms(
  {
    usage: 'list <instance>',
    summary: 'What can be run; native ones are of the instance itself, the others of the graph library',
    options: [
      { flags: '--category <name>', description: 'only those of this category' },
      { flags: '--search <text>', description: 'only with this text in name or description' },
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
      answers: 'returns',
      'what it does': 'description',
    });
    return right({ data, table, ...(data.length === 0 ? { note: 'There is nothing to list.' } : {}) });
  },
);

const show = onAlgorithms(
  { usage: 'show <instance> <algorithm>', summary: 'One algorithm with its parameters', options: [libraryOption] },
  async (algorithms, input) => {
    const shown = await algorithms.show(input.argument(1), input.flag('library'));
    if (isLeft(shown)) return shown;
    const { data, fields, parameters } = shown.right;
    const table = tableOf(parameters, {
      name: 'name',
      type: 'type',
      default: (one) => (one.required ? 'required' : one.default),
      meaning: 'description',
    });
    return right({ data, record: fields, sections: [{ title: 'Parameters', table }] });
  },
);

const run = onAlgorithms(
  {
    usage: 'run <instance> <algorithm>',
    summary: 'Run an algorithm on an instance of yours; values are stored on the nodes, or printed',
    takesCsv: true,
    options: [
      { flags: '-p, --parameter <name=value>', description: 'a parameter; may be repeated', kind: 'list' },
      { flags: '-o, --write-to <property>', description: 'store the values in this property of the nodes' },
      {
        flags: '-l, --label <label>',
        description: 'nodes to use (default: all); graphdb_b takes several',
        kind: 'list',
      },
      { flags: '-e, --edge-type <type>', description: 'edges to use (default: all); may be repeated', kind: 'list' },
      { flags: '--directed', description: 'follow edges in their direction only' },
      { flags: '--weight <property>', description: 'property of the edges that holds their weight' },
      { flags: '--from <key>', description: 'node a path begins at, by its primary key' },
      { flags: '--to <key>', description: 'node a path ends at' },
      { flags: '--timeout <seconds>', description: 'how long it may take', kind: 'integer' },
      libraryOption,
      { flags: '-w, --wait', description: 'wait for the result' },
      topOption,
    ],
    examples: [
      'algorithms run 1 pagerank --label Account --write-to rank -p damping=0.9 --wait',
      'algorithms run 1 betweenness_centrality --label Account --wait --csv > values.csv',
      'algorithms run 1 shortest_path --from AC-100013 --to AC-107932 --wait',
    ],
  },
  async (algorithms, input, id, { terminal }) => {
    const parameters = parametersOf(input.texts('parameter'));
    if (isLeft(parameters)) return parameters;
    const seconds = input.integer('timeout');
    const name = input.argument(1);
    const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
    const top = input.integer('top');
    const started = await algorithms.start({ name, parameters: parameters.right, timeoutMs, top, input });
    if (isLeft(started)) return started;
    const { data, id: runId, warnings } = started.right;
    if (input.flag('wait')) {
      for (const warning of warnings) terminal.errors.write(`${warning}\n`);
      return untilEnded(algorithms, id, runId, topOf(input), terminal);
    }
    return right({
      data,
      warnings,
      text: `${name} runs as ${runId}.`,
      note: `Look at it with: rowgraph algorithms status ${id} ${runId}`,
    });
  },
);

const topOf = (input: CommandInput): number => input.integer('top') ?? DEFAULT_TOP;

const untilEnded = async (
  algorithms: Algorithms,
  id: number,
  runId: string,
  top: number,
  { interrupted }: Terminal,
): Outcome => {
  const signal = interrupted();
  while (!signal.aborted) {
    const looked = await algorithms.look(runId);
    if (isLeft(looked)) return looked;
    const { status: state, error } = looked.right;
    if (state === 'failed') return left(failed(`The run ${runId} failed: ${error ?? 'no reason given'}`));
    if (state === 'cancelled') return left(failed(`The run ${runId} was cancelled.`));
    if (state === 'completed') return right(runOutput(looked.right, top));
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return left({
    exitCode: 130,
    lines: [
      '',
      `The run goes on without you. Look at it with: rowgraph algorithms status ${id} ${runId}`,
      `Or end it: rowgraph algorithms cancel ${id} ${runId}`,
    ],
  });
};

const status = onAlgorithms(
  {
    usage: 'status <instance> <run>',
    summary: 'How a run is getting on, and what it found',
    takesCsv: true,
    options: [topOption],
  },
  async (algorithms, input) =>
    map((run: Run) => runOutput(run, topOf(input)))(await algorithms.look(input.argument(1))),
);

const cancel = onAlgorithms(
  { usage: 'cancel <instance> <run>', summary: 'End a run in progress' },
  async (algorithms, input) => {
    const runId = input.argument(1);
    const text = `The run ${runId} is cancelled.`;
    return map((data: object) => ({ data, text }))(await algorithms.cancel(runId));
  },
);

const history = onAlgorithms(
  {
    usage: 'history <instance>',
    summary: 'The last runs, newest first; the instance keeps a hundred',
    options: [
      { flags: '--status <status>', description: 'only those in this state', choices: STATES },
      { flags: '--limit <n>', description: 'how many (default 20, at most 100)', kind: 'integer' },
    ],
  },
  async (algorithms, input) => {
    const wanted = STATES.find((state) => state === input.text('status'));
    const found = await algorithms.history({
      ...present('limit', input.integer('limit')),
      ...present('status_filter', wanted),
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
    return right({ data, table, ...(runs.length === 0 ? { note: 'Nothing has been run yet.' } : {}) });
  },
);

export const algorithmCommands: ActionGroup = {
  name: 'algorithms',
  summary: 'Algorithms over the graph of an instance',
  actions: [list, show, run, status, cancel, history],
};

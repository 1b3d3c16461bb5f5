import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { readGraphAnswer } from '../../client';
import { type Action, type ActionGroup, present } from '../action';
import { answered } from '../answered';
import { type CliFailure, failed, wrongUsage } from '../failure';
import { findGraph } from '../find-graph';
import { readTextInput } from '../json-input';
import { tableOf } from '../output';
import { parametersOf } from '../query-parameters';

const SECONDS_LONGER = 10;
const DEFAULT_SECONDS = 60;

const query: Action = {
  usage: 'query <instance> [cypher]',
  summary: 'Ask an instance in Cypher; without the text it is read from the standard input',
  takesCsv: true,
  options: [
    { flags: '-f, --file <path>', description: 'read the query from a file' },
    {
      flags: '-p, --parameter <name=value>',
      description: 'value of $name, JSON or text; may be repeated',
      kind: 'list',
    },
    { flags: '--timeout <seconds>', description: `how long it may take (default ${DEFAULT_SECONDS})`, kind: 'integer' },
  ],
  examples: [
    'query 1 "MATCH (n) RETURN count(n)"',
    `query "Money flows" 'MATCH (a:Account {account_id: $id}) RETURN a' -p id=AC-100013`,
    'query 1 --csv < question.cypher > answer.csv',
  ],
  run: async (session, given) => {
    const { terminal } = session;
    const parameters = parametersOf(given.texts('parameter'));
    if (isLeft(parameters)) return parameters;
    const written = given.optionalArgument(1);
    if (written === undefined && given.text('file') === undefined && terminal.isInteractive) {
      return left(wrongUsage('Write the query behind the instance, name a file with -f, or pipe it in.'));
    }
    const text = written === undefined ? await readTextInput(given.text('file') ?? '-', terminal) : right(written);
    if (isLeft(text)) return text;
    const graph = await findGraph(session, given.argument(0));
    if (isLeft(graph)) return graph;
    const seconds = given.integer('timeout');
    const answer = await answered(
      graph.right.pod.query({
        body: {
          query: text.right,
          parameters: parameters.right,
          ...present('timeout_ms', seconds === undefined ? undefined : seconds * 1000),
        },
        patienceMs: ((seconds ?? DEFAULT_SECONDS) + SECONDS_LONGER) * 1000,
      }),
      ({ data }) => data,
    );
    if (isLeft(answer)) return answer;
    const result = readGraphAnswer(answer.right);
    if (isLeft(result)) return left(failed(result.left));
    const { columns, rows, row_count, execution_time_ms, truncated } = result.right;
    const cut = truncated ? ', and more that were cut off: add a LIMIT' : '';
    return right({
      data: result.right,
      json: answer.right,
      table: { columns, rows },
      note: `${row_count} ${row_count === 1 ? 'row' : 'rows'} in ${execution_time_ms} ms${cut}`,
    });
  },
};

const schema: Action = {
  usage: 'schema <instance>',
  summary: 'Labels and edge types of an instance, their properties and counts',
  run: async (session, given) => {
    const graph = await findGraph(session, given.argument(0));
    if (isLeft(graph)) return graph;
    return answered(graph.right.pod.schema(), ({ data }) => ({
      data,
      sections: [
        {
          title: `Nodes (${data.total_nodes})`,
          table: tableOf(data.node_tables, [
            ['label', ({ label }) => label],
            ['count', ({ node_count }) => node_count],
            ['key', ({ primary_key, primary_key_type }) => `${primary_key} ${primary_key_type}`],
            ['properties', ({ properties }) => typed(properties)],
          ]),
        },
        {
          title: `Edges (${data.total_edges})`,
          table: tableOf(data.edge_tables, [
            ['type', ({ type }) => type],
            ['count', ({ edge_count }) => edge_count],
            ['from', ({ from_node }) => from_node],
            ['to', ({ to_node }) => to_node],
            ['properties', ({ properties }) => typed(properties)],
          ]),
        },
      ],
    }));
  },
};

const typed = (properties: Readonly<Record<string, string>>): string =>
  Object.entries(properties)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

/** What an instance itself tells of its state. */
const status: Action = {
  usage: 'status <instance>',
  summary: 'State, size and lock of a running instance, as it tells itself',
  run: async (session, given) => {
    const graph = await findGraph(session, given.argument(0));
    if (isLeft(graph)) return graph;
    const { pod } = graph.right;
    const [state, lock]: [Either<CliFailure, object>, Either<CliFailure, { readonly lock: object }>] =
      await Promise.all([answered(pod.status(), ({ data }) => data), answered(pod.lock(), ({ data }) => data)]);
    if (isLeft(state)) return state;
    if (isLeft(lock)) return lock;
    const data = { ...state.right, lock: lock.right.lock };
    return right({ data, record: Object.entries(data) });
  },
};

export const graphCommands: ActionGroup = { name: null, summary: '', actions: [query, schema, status] };

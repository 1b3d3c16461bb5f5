import { isLeft, left, right } from 'fp-ts/Either';
import { counted } from '../../../domain/kernel/counted';
import { exactJson, type GraphAnswer, readGraphAnswer, readNeighbours } from '../../client';
import { TRUNCATED_WARNING } from '../../contracts/graph-pod/endpoints';
import { type Action, type ActionGroup } from '../action';
import { answered, explain, failed, usageError } from '../failure';
import { findGraph, onGraph } from '../find-one';
import { graphSizeText, type Output, pairsText, recordOf, sectionOf, sizeText, tableOf } from '../output';
import { queryParametersOf, readQuery } from '../read-input';
import { option } from '../request-options';
import { exportOptions, exportTarget, writeExport } from '../write-export';

const SECONDS_LONGER = 10;
const DEFAULT_SECONDS = 60;

const query: Action = {
  usage: 'query <instance> [cypher]',
  summary: 'Query an instance in Cypher (text, -f or stdin)',
  takesCsv: true,
  options: [
    option('-f, --file <path>', 'read the query from a file'),
    option('-p, --parameter <name=value>', 'value of $name, JSON or text; repeatable', { kind: 'list' }),
    option('--walks', 'let a relationship match several times in one MATCH'),
    option('--timeout <seconds>', `time limit (default ${DEFAULT_SECONDS})`, { kind: 'integer' }),
    option('--limit <n>', 'show only the first n rows', { kind: 'integer' }),
    ...exportOptions,
  ],
  examples: [
    'query 1 "MATCH (n) RETURN count(n)"',
    `query "Money flows" 'MATCH (a {account_id: $id}) RETURN a' -p id=AC-7`,
    'query 1 --csv < question.cypher > answer.csv',
    `query 1 'MATCH (a:Account) RETURN a.kind' --output kinds.parquet`,
  ],
  run: async (session, input) => {
    const parameters = queryParametersOf(input.texts('parameter'));
    if (isLeft(parameters)) return parameters;
    const advice = 'The query is missing: write it after the instance, use -f <file>, or pipe it in.';
    const text = await readQuery(input, 1, session.terminal, advice);
    if (isLeft(text)) return text;
    const target = exportTarget(input, session.terminal);
    if (isLeft(target)) return target;
    if (target.right !== null && input.integer('limit') !== undefined) {
      return left(usageError('--limit does not apply to exports; write LIMIT in the query.'));
    }
    const graph = await findGraph(session, input.argument(0));
    if (isLeft(graph)) return graph;
    const seconds = input.integer('timeout');
    const timeout_ms = seconds === undefined ? undefined : seconds * 1000;
    const uniqueness = input.flag('walks') ? { uniqueness: 'none' as const } : {};
    const body = { query: text.right, parameters: parameters.right, timeout_ms, ...uniqueness };
    const timeoutMs = ((seconds ?? DEFAULT_SECONDS) + SECONDS_LONGER) * 1000;
    if (target.right !== null) {
      const { sent } = target.right;
      const rows = await graph.right.pod.exportRows({ body, format: sent, timeoutMs });
      if (isLeft(rows)) return left(explain(rows.left, text.right));
      const written = await writeExport(rows.right.rows, target.right, session.terminal);
      return isLeft(written) ? written : right({ ...written.right, warnings: rows.right.warnings });
    }
    const answer = await graph.right.pod.query({ body, timeoutMs });
    if (isLeft(answer)) return left(explain(answer.left, text.right));
    const json = answer.right.data;
    const result = readGraphAnswer(json);
    return isLeft(result) ? left(failed(result.left)) : right(shown(result.right, json, input.integer('limit')));
  },
};

/** A query result, or its first rows; exit code 1 if rows are missing without --limit. */
const shown = (answer: GraphAnswer, json: string, limit: number | undefined): Output => {
  const { columns, execution_time_ms } = answer;
  const warnings = (answer.warnings ?? []).filter((warning) => warning !== TRUNCATED_WARNING);
  const rows = answer.rows.slice(0, limit);
  const isLimited = rows.length < answer.rows.length;
  const truncated = answer.truncated || isLimited;
  const data = { ...answer, rows, row_count: rows.length, truncated };
  const isCut = answer.truncated && rows.length !== limit;
  return {
    data,
    json: isLimited ? exactJson(data) : json,
    table: { columns, rows, nullText: 'NULL' },
    note: `${counted(rows.length, 'row')} in ${execution_time_ms} ms${truncated ? ', truncated' : ''}`,
    warnings: isCut ? [...warnings, CUT] : warnings,
    exitCode: isCut ? 1 : undefined,
  };
};

const CUT = 'The result is truncated. All rows: --output <file> or --csv; fewer: --limit <n>, or LIMIT in the query.';

const schema = onGraph(
  { usage: 'schema <instance>', summary: 'Show labels, edge types, properties and counts' },
  ({ pod }) =>
    answered(pod.schema(), ({ data }) => ({
      data,
      sections: [
        sectionOf(`Nodes (${data.total_nodes})`, data.node_tables, {
          label: 'label',
          count: 'node_count',
          key: ({ primary_key, primary_key_type }) => `${primary_key} ${primary_key_type}`,
          properties: ({ properties }) => pairsText(properties),
        }),
        sectionOf(`Edges (${data.total_edges})`, data.edge_tables, {
          type: 'type',
          count: 'edge_count',
          from: 'from_node',
          to: 'to_node',
          properties: ({ properties }) => pairsText(properties),
        }),
      ],
    })),
);

const DIRECTIONS = ['out', 'in', 'both'] as const;

const neighbours = onGraph(
  {
    usage: 'neighbours <instance> <node...>',
    summary: 'Show the neighbours of nodes, named Label:key',
    takesCsv: true,
    options: [
      option('--edge-type <type>', 'only edges of this type; repeatable', { kind: 'list' }),
      option('--direction <which>', 'only edges from or to the nodes', { choices: DIRECTIONS }),
      option('--limit <n>', 'show at most n edges (default 300); 0: counts only', { kind: 'integer' }),
    ],
    examples: ['neighbours "Money flows" Account:AC-7 Account:AC-9', 'neighbours 1 Person:ada --limit 0'],
  },
  async ({ pod }, input) => {
    const types = input.texts('edge-type');
    const body = {
      nodes: input.args.slice(1),
      edge_types: types.length === 0 ? undefined : types,
      direction: DIRECTIONS.find((one) => one === input.text('direction')),
      limit: input.integer('limit'),
    };
    const answer = await answered(pod.neighbours({ body }), ({ data }) => data);
    if (isLeft(answer)) return answer;
    const found = readNeighbours(answer.right);
    if (isLeft(found)) return left(failed(found.left));
    const { counts, edges, nodes, truncated } = found.right;
    const names = nodes.map(({ _id }) => _id);
    const missing = body.nodes.filter((name) => !names.includes(name));
    const columns = { type: '_type', from: '_from', to: '_to' } as const;
    return right({
      data: found.right,
      json: answer.right,
      sections: [
        sectionOf('Edges by type', counts, { type: 'type', direction: 'direction', label: 'label', edges: 'count' }),
        ...(edges.length === 0 ? [] : [sectionOf('Edges', edges, columns)]),
      ],
      separated: tableOf(edges, columns),
      note: truncated ? 'There are more edges: --limit <n>, at most 10000.' : undefined,
      warnings: missing.map((name) => `The answer has no node named ${name}.`),
      ...(missing.length === 0 ? {} : { exitCode: 1 as const }),
    });
  },
);

const language = onGraph(
  { usage: 'language <instance>', summary: 'List functions, procedures and keywords that queries may use' },
  ({ pod }) =>
    answered(pod.language(), ({ data }) => ({
      data,
      record: Object.entries(data).map(([name, words]) => [name, words.join(', ')]),
    })),
);

const status = onGraph(
  { usage: 'status <instance>', summary: 'Show state, size and lock of an instance' },
  async ({ pod }) => {
    const state = answered(pod.status(), ({ data }) => data);
    const lock = await answered(pod.lock(), ({ data }) => data.lock);
    const known = await state;
    if (isLeft(known)) return known;
    if (isLeft(lock)) return lock;
    const data = { ...known.right, lock: lock.right };
    const { algorithm_name: algorithm, holder_username: user, acquired_at: since } = lock.right;
    return right({
      data,
      record: recordOf(data, {
        status: 'status',
        instance: 'instance_id',
        owner: 'owner_username',
        graph: graphSizeText,
        labels: (one) => one.node_tables.join(', '),
        'edge types': (one) => one.edge_tables.join(', '),
        memory: (one) => sizeText(one.memory_usage_bytes),
        disk: (one) => sizeText(one.disk_usage_bytes),
        started: 'started_at',
        lock: (one) => (one.lock.locked ? `${user} runs ${algorithm} since ${since}` : 'free'),
      }),
    });
  },
);

export const graphCommands: ActionGroup = {
  name: null,
  summary: '',
  actions: [query, schema, language, neighbours, status],
};

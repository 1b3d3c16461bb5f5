import { isLeft, left } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { answered, excerptLines, usageError } from '../failure';
import { type Output, tableOf } from '../output';
import { readQuery } from '../read-input';
import { option } from '../request-options';

const validate: Action = {
  usage: 'validate [query]',
  summary: 'Check a query and list its columns (exit code 1: invalid)',
  options: [option('-f, --file <path>', 'read the query from a file; - for stdin')],
  examples: ['sql validate "SELECT account_id FROM bank.main.account"'],
  run: async ({ api, terminal }, input) => {
    const sql = await readQuery(input, 0, terminal, 'The query is missing: write it, use -f <file>, or pipe it in.');
    if (isLeft(sql)) return sql;
    return answered(api.validateSql({ body: { sql: sql.right } }), ({ data }): Output => {
      if (data.valid) {
        const table = tableOf(data.columns, { column: 'name', type: 'type' });
        return { data, table, note: notesOf(data.warnings) };
      }
      const { error, position } = data;
      if (position === null) return { data, text: `Invalid: ${error}`, exitCode: 1 };
      const lines = [
        `Line ${position.line}, column ${position.column}: ${error}`,
        ...excerptLines(sql.right, position),
      ];
      return { data, text: lines.join('\n'), exitCode: 1 };
    });
  },
};

const parse: Action = {
  usage: 'parse',
  summary: 'Suggest a mapping for queries, as YAML to complete',
  options: [
    option('-n, --node <query>', 'query whose rows become nodes; repeatable', { kind: 'list' }),
    option('-e, --edge <query>', 'query whose rows become edges; repeatable', { kind: 'list' }),
  ],
  examples: ['sql parse -n "SELECT id, kind FROM bank.main.account" > draft.yaml'],
  run: async ({ api }, input) => {
    const [nodes, edges] = [input.texts('node'), input.texts('edge')];
    if (nodes.length + edges.length === 0) return left(usageError('At least one query is required: -n or -e.'));
    const { stringify } = await import('yaml');
    return answered(api.parseSql({ body: { node_queries: nodes, edge_queries: edges } }), ({ data }): Output => {
      const draft = {
        name: '',
        node_definitions: data.node_definitions.map(({ inferred: _inferred, ...node }) => node),
        edge_definitions: data.edge_definitions.map(({ inferred: _inferred, warnings: _warnings, ...edge }) => edge),
      };
      const warnings = [...data.warnings, ...data.edge_definitions.flatMap((edge) => edge.warnings)];
      return { data, text: stringify(draft).trimEnd(), note: notesOf(warnings) };
    });
  },
};

const notesOf = (warnings: readonly string[]): string | undefined =>
  warnings.map((warning) => `Note: ${warning}`).join('\n') || undefined;

export const sqlCommands: ActionGroup = {
  name: 'sql',
  summary: 'Check queries before they become a mapping',
  actions: [validate, parse],
};

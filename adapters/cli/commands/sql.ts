import { isLeft, left } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { answered, wrongUsage } from '../failure';
import { type Output, tableOf } from '../output';
import { readQuery } from '../read-input';

const validate: Action = {
  usage: 'validate [query]',
  summary: 'Check a query and tell its columns; nothing runs. Ends with 1 when it is not valid',
  options: [{ flags: '-f, --file <path>', description: 'read the query from a file; - is the standard input' }],
  examples: ['sql validate "SELECT account_id FROM bank.main.account"'],
  run: async ({ api, terminal }, input) => {
    const sql = await readQuery(input, 0, terminal, 'Write the query, name a file with -f, or pipe it in.');
    if (isLeft(sql)) return sql;
    return answered(api.validateSql({ body: { sql: sql.right } }), ({ data }): Output => {
      if (data.valid) return { data, table: tableOf(data.columns, { column: 'name', type: 'type' }) };
      const place = data.position === null ? '' : `line ${data.position.line}, column ${data.position.column}: `;
      return { data, text: `Not valid: ${place}${data.error}`, exitCode: 1 };
    });
  },
};

const parse: Action = {
  usage: 'parse',
  summary: 'Suggest a mapping for queries, as a file to complete',
  options: [
    { flags: '-n, --node <query>', description: 'a query whose rows become nodes; may be repeated', kind: 'list' },
    { flags: '-e, --edge <query>', description: 'a query whose rows become edges; may be repeated', kind: 'list' },
  ],
  examples: ['sql parse -n "SELECT account_id, kind FROM bank.main.account" > draft.yaml'],
  run: async ({ api }, input) => {
    const [nodes, edges] = [input.texts('node'), input.texts('edge')];
    if (nodes.length + edges.length === 0) return left(wrongUsage('Give at least one query: -n or -e.'));
    const { stringify } = await import('yaml');
    return answered(api.parseSql({ body: { node_queries: nodes, edge_queries: edges } }), ({ data }): Output => {
      const draft = {
        name: '',
        node_definitions: data.node_definitions.map(({ inferred: _inferred, ...node }) => node),
        edge_definitions: data.edge_definitions.map(({ inferred: _inferred, warnings: _warnings, ...edge }) => edge),
      };
      const warnings = [...data.warnings, ...data.edge_definitions.flatMap((edge) => edge.warnings)];
      const note = warnings.map((warning) => `Note: ${warning}`).join('\n');
      return { data, text: stringify(draft).trimEnd(), ...(note === '' ? {} : { note }) };
    });
  },
};

export const sqlCommands: ActionGroup = {
  name: 'sql',
  summary: 'Queries, before they become a mapping',
  actions: [validate, parse],
};

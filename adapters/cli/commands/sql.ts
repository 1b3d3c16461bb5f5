import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { answered } from '../answered';
import { wrongUsage } from '../failure';
import { readTextInput } from '../json-input';
import { type Output, tableOf } from '../output';

const validate: Action = {
  usage: 'validate [query]',
  summary: 'Check a query and tell its columns; nothing runs. Ends with 1 when it is not valid',
  options: [{ flags: '-f, --file <path>', description: 'read the query from a file; - is the standard input' }],
  examples: ['sql validate "SELECT account_id FROM bank.main.account"'],
  run: async ({ api, terminal }, given) => {
    const written = given.optionalArgument(0);
    const file = given.text('file');
    if (written === undefined && file === undefined && terminal.isInteractive) {
      return left(wrongUsage('Write the query, name a file with -f, or pipe it in.'));
    }
    const sql = written === undefined ? await readTextInput(file ?? '-', terminal) : right(written);
    if (isLeft(sql)) return sql;
    return answered(api.validateSql({ body: { sql: sql.right } }), ({ data }): Output => {
      if (data.valid) {
        const table = tableOf(data.columns, [
          ['column', ({ name }) => name],
          ['type', ({ type }) => type],
        ]);
        return { data, table };
      }
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
  run: async ({ api }, given) => {
    const [nodes, edges] = [given.texts('node'), given.texts('edge')];
    if (nodes.length + edges.length === 0) return left(wrongUsage('Give at least one query: -n or -e.'));
    const { stringify } = await import('yaml');
    return answered(api.parseSql({ body: { node_queries: nodes, edge_queries: edges } }), ({ data }): Output => {
      const draft = {
        name: '',
        node_definitions: data.node_definitions.map(({ inferred: _inferred, ...node }) => node),
        edge_definitions: data.edge_definitions.map(({ inferred: _inferred, warnings: _warnings, ...edge }) => edge),
      };
      const warnings = [...data.warnings, ...data.edge_definitions.flatMap((edge) => edge.warnings)];
      return {
        data,
        text: stringify(draft).trimEnd(),
        ...(warnings.length === 0 ? {} : { note: warnings.map((warning) => `Note: ${warning}`).join('\n') }),
      };
    });
  },
};

export const sqlCommands: ActionGroup = {
  name: 'sql',
  summary: 'Queries, before they become a mapping',
  actions: [validate, parse],
};

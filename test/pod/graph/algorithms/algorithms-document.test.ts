import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kernel } from '../../../../pod/graph/algorithms/algorithm';
import { GRAPH_LIBRARY, KERNELS } from '../../../../pod/graph/algorithms/catalogue';
import { DUCKDB_ALGORITHMS, FALKORDB_ALGORITHMS } from '../../../../pod/graph/algorithms/native-algorithms';
import { shownParameters } from '../../../../pod/graph/algorithms/signature';

const FILE = join(__dirname, '..', '..', '..', '..', 'docs', 'algorithms.md');
const BEGIN = '<!-- begin: from the catalogue; UPDATE_DOCS=1 npx jest algorithms-document -->\n';
const END = '<!-- end -->\n';

const parametersText = (parameters: readonly { name: string; required: boolean; default: unknown }[]): string =>
  parameters
    .map(
      ({ name, required, default: fallback }) =>
        `\`${name}\`${required ? ' (required)' : ` (${JSON.stringify(fallback)})`}`,
    )
    .join(', ');

const WEIGHTS = {
  sum: 'takes a weight_property, added over parallel edges',
  least: 'takes a weight_property, the least one of parallel edges',
  greatest: 'takes a weight_property, the greatest one of parallel edges',
};
const ALLOWED = { all: [], 'not negative': ['no negative weights'], positive: ['weights above 0 only'] };

const kernelText = (entry: Kernel): string => {
  const aliases = entry.aliases.length === 0 ? '' : `, also ${entry.aliases.map((alias) => `\`${alias}\``).join(', ')}`;
  const facts = [
    `Returns ${entry.returns}`,
    ...(entry.graph === 'either' ? [] : [`${entry.graph} graphs only`]),
    ...(entry.weights === null ? [] : [WEIGHTS[entry.weights.parallel], ...ALLOWED[entry.weights.allowed]]),
    ...(entry.ends === 'none'
      ? []
      : [entry.ends === 'optional' ? 'source and target optional' : `needs ${entry.ends}`]),
    ...(entry.maxNodes === null ? [] : [`at most ${entry.maxNodes} nodes`]),
  ];
  const parameters = parametersText(shownParameters(entry.parameters));
  return `**\`${entry.name}\`**${aliases}. ${entry.description} ${entry.details} _${facts.join('; ')}._ NetworkX: ${entry.networkx}.${parameters === '' ? '' : ` Parameters: ${parameters}.`}\n\n`;
};

/** The generated part of docs/algorithms.md. */
const FALKORDB_BODY =
  'The body has `result_property` (required), `node_labels`, `relationship_types`, `write_back` (true) and `timeout_ms` ' +
  '(60,000 to 7,200,000; default five minutes, `betweenness` one hour). The parameters below are fields of `parameters`. ' +
  'Values are stored, not returned.';

const generated = (): string => {
  const kernels = KERNELS;
  const library = GRAPH_LIBRARY.filter(({ engine }) => engine === 'library');
  const categories = [...new Set(kernels.map(({ category }) => category))];
  const native = DUCKDB_ALGORITHMS.map(({ name, fields }) => `- \`${name}\`: ${parametersText(fields)}\n`).join('');
  const procedures = FALKORDB_ALGORITHMS.map(
    ({ name, cypherProcedure, description, parameters }) =>
      `- \`${name}\` (\`${cypherProcedure}\`): ${description} ${parametersText(shownParameters(parameters))}`.trimEnd() +
      '\n',
  ).join('');
  const ofCategory = (wanted: string): string =>
    kernels
      .filter(({ category }) => category === wanted)
      .map(kernelText)
      .join('');
  return [
    `## DuckDB (\`graphdb_a\`): \`POST /algo/{name}\`\n\n${native}`,
    `## FalkorDB (\`graphdb_b\`): \`POST /algo/{name}\`\n\n${FALKORDB_BODY}\n\n${procedures}`,
    `## DuckDB (\`graphdb_a\`): \`POST /graphlib/{name}\`\n`,
    ...categories.map((category) => `### ${category}\n\n${ofCategory(category)}`.trimEnd() + '\n'),
    `### Functions of the installed graph library\n\nFor at most ${library[0]?.maxNodes} nodes and ${library[0]?.maxEdges} edges: ${library.map(({ name }) => `\`${name}\``).join(', ')}.\n`,
  ].join('\n');
};

test('docs/algorithms.md lists every algorithm of the code', () => {
  const text = readFileSync(FILE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const wanted = `${before}${BEGIN}\n${generated()}\n${END}${after}`;
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(FILE, wanted);
  else expect(text).toBe(wanted);
});

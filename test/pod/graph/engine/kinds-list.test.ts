import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, optionalDependencies } from '../../../../package.json';
import { type Quirk, type QuirkDemonstration } from '../../../../pod/graph/engine/cypher/quirk';
import { FALKORDB_QUIRKS } from '../../../../pod/graph/engine/falkordb/language';
import { KUZU_QUIRKS } from '../../../../pod/graph/engine/kuzu/language';

const FILE = join(__dirname, '..', '..', '..', '..', 'docs', 'guides', 'kinds.md');
const SECTION = /(## Known deviations of the engines\n[^#]*?\n)(### graphdb_a[^]*?)(\n## |$)/;

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const rows = (answer: QuirkDemonstration['wrong']): string =>
  typeof answer === 'string' ? `a ${answer === 'crash' ? 'crash' : 'failure'}` : code(JSON.stringify(answer));

const lineOf = ({ description, shown: { graph, query, parameters, right, wrong } }: Quirk): string =>
  [
    `- ${description}`,
    ...(graph === undefined ? [] : [`  Graph: ${code(graph)}.`]),
    `  Query: ${code(query)}${parameters === undefined ? '' : ` with ${code(JSON.stringify(parameters))}`}.`,
    `  openCypher: ${rows(right)}. Bare engine: ${rows(wrong)}.`,
  ].join('\n');

const listOf = (kind: string, engine: string, quirks: readonly Quirk[]): string =>
  `### ${kind}: ${engine}\n\n${quirks.map(lineOf).join('\n')}\n`;

const list = [
  listOf('graphdb_a', `Kuzu ${dependencies.kuzu}`, KUZU_QUIRKS),
  listOf(
    'graphdb_b',
    `FalkorDB ${optionalDependencies['@falkordblite/linux-x64'].split('falkordb.')[1]}`,
    FALKORDB_QUIRKS,
  ),
].join('\n');

/** `RECORD=1` writes the list into the guide. */
test('the guide to the kinds lists the quirks of the engines', () => {
  const guide = readFileSync(FILE, 'utf8');
  if (process.env['RECORD'] === '1') {
    writeFileSync(
      FILE,
      guide.replace(SECTION, (_, heading: string, __, next: string) => `${heading}${list}${next}`),
    );
  }
  expect(SECTION.exec(readFileSync(FILE, 'utf8'))?.[2]).toBe(list);
});

import { isLeft, left, right } from 'fp-ts/Either';
import { propertyTypeOf } from '../../../domain/sql-tools';
import { type CallInput } from '../../client';
import { publicEndpoints } from '../../http/public/public-endpoints';
import { type CommandInput } from '../action';
import { type Session } from '../connection';
import { type Answer, excerptLines, explain, failed } from '../failure';
import { option } from '../request-options';

export const checkOption = option('--no-check', 'do not check the queries with the engine');

const { createMapping, updateMapping } = publicEndpoints;
type Definitions = Pick<CallInput<typeof updateMapping>['body'], 'node_definitions' | 'edge_definitions'>;
const hasDefinitions = (body: unknown): body is Definitions =>
  [createMapping, updateMapping].some((endpoint) => endpoint.body?.is(body) === true);

/** Validates each query of a mapping with the engine, and compares its columns with the definition. */
export const checkDefinitions = async ({ api }: Session, body: unknown, input: CommandInput): Answer<undefined> => {
  if (!input.flag('check') || !hasDefinitions(body)) return right(undefined);
  const errors: string[] = [];
  for (const { title, sql, keys, properties = [] } of queriesOf(body)) {
    const answer = await api.validateSql({ body: { sql } });
    if (isLeft(answer)) {
      const { exitCode, lines } = explain(answer.left);
      return left({ exitCode, lines: [...lines, 'To skip this check: --no-check.'] });
    }
    const { data } = answer.right;
    if (data.valid) {
      const { columns } = data;
      const wrong = [...columnErrors(keys, 'key', columns), ...columnErrors(properties, 'property', columns)];
      errors.push(...wrong.map((error) => `  ${title}: ${error}`));
    } else {
      const place = data.position === null ? '' : `line ${data.position.line}, column ${data.position.column}: `;
      errors.push(`  ${title}: ${place}${data.error.replaceAll('\n', '\n    ')}`);
      errors.push(...(data.position === null ? [] : excerptLines(sql, data.position).map((line) => `  ${line}`)));
    }
  }
  if (errors.length === 0) return right(undefined);
  return left(failed(`${input.text('file')} is not a valid mapping:`, ...errors, 'To skip this check: --no-check.'));
};

interface WantedColumn {
  readonly name: string;
  readonly type: string | undefined;
}

const queriesOf = ({ node_definitions: nodes = [], edge_definitions: edges = [] }: Definitions) => {
  const keyTypes = new Map(nodes.map(({ label, primary_key }) => [label, primary_key.type]));
  const key = (name: string, label: string): WantedColumn => ({ name, type: keyTypes.get(label) });
  return [
    ...nodes.map((node) => ({ ...node, title: `node ${node.label}`, keys: [node.primary_key] })),
    ...edges.map((edge) => ({
      ...edge,
      title: `edge ${edge.type}`,
      keys: [key(edge.from_key, edge.from_node), key(edge.to_key, edge.to_node)],
    })),
  ];
};

const columnErrors = (
  wanted: readonly WantedColumn[],
  use: 'key' | 'property',
  found: readonly { readonly name: string; readonly type: string }[],
): readonly string[] =>
  wanted.flatMap(({ name, type }) => {
    const column = found.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (column === undefined) {
      return [`the query does not return the column ${name}; it returns ${found.map((one) => one.name).join(', ')}`];
    }
    if (type === undefined || isCompatible(type, propertyTypeOf(column.type).type, use === 'key')) return [];
    return [`the column ${name} is ${column.type}, the ${use} is ${type}; change the type, or CAST the column`];
  });

const NUMBER = 'number';
const FAMILIES: Readonly<Record<string, string>> = {
  ...{ INT64: NUMBER, INT32: NUMBER, INT16: NUMBER, INT8: NUMBER, DOUBLE: NUMBER, FLOAT: NUMBER, BOOL: NUMBER },
  ...{ DATE: 'time', TIMESTAMP: 'time' },
};
const familyOf = (type: string): string => FAMILIES[type] ?? type;

/** Text is converted to any property type when it is loaded; key types must be exact. */
const isCompatible = (declared: string, found: string, isKey: boolean): boolean =>
  declared === 'STRING' || familyOf(declared) === familyOf(found) || (found === 'STRING' && !isKey);

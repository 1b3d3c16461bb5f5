import { parseStatement } from '../../../../pod/graph/engine/cypher/parse-statement';
import { type Expression, type NodePattern, type StepPattern } from '../../../../pod/graph/engine/cypher/tree';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { loadedEngine, type LoadedEngine } from './loaded-engine';
import { createSnapshot, mappingOf } from './snapshot';

interface Entity {
  /** A label or an edge type. */
  readonly table: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface Edge extends Entity {
  readonly from: Entity;
  readonly to: Entity;
}

/** Loads the graph of a CREATE, whose nodes have one label and an `id`, as if it came from a warehouse. */
export const loadCreate = async (
  engine: GraphEngine,
  create: string | undefined,
  directory: string,
): Promise<LoadedEngine> => {
  const { nodes, edges } = create === undefined ? { nodes: [], edges: [] } : graphOf(create);
  const snapshot = await createSnapshot();
  const tables = tablesOf(nodes);
  const edgeTables = tablesOf(edges);
  for (const [label, rows] of tables)
    await snapshot.export(`nodes/${label}`, selectOf(rows.map(({ values }) => values)));
  for (const [type, rows] of edgeTables) {
    const ends = rows.map(({ from, to, values }) => ({ s: from.values['id'], d: to.values['id'], ...values }));
    await snapshot.export(`edges/${type}`, selectOf(ends));
  }
  const mapping = mappingOf(snapshot, {
    node_definitions: [...tables].map(([label, rows]) => {
      const [, ...properties] = propertiesOf(rows);
      return { label, primary_key: { name: 'id', type: 'INT64' }, properties };
    }),
    edge_definitions: [...edgeTables].map(([type, rows]) => ({
      type,
      from_node: rows[0]?.from.table ?? '',
      to_node: rows[0]?.to.table ?? '',
      from_key: 's',
      to_key: 'd',
      properties: propertiesOf(rows),
    })),
  });
  const loaded = await loadedEngine(engine, mapping, snapshot, directory);
  await snapshot.remove();
  return loaded;
};

const graphOf = (create: string): { readonly nodes: readonly Entity[]; readonly edges: readonly Edge[] } => {
  const [[match] = []] = parseStatement(`${create.replace(/^CREATE/, 'MATCH')} RETURN 1`).query.parts;
  const known = new Map<string | NodePattern, Entity>();
  const edges: Edge[] = [];
  for (const { nodes, steps } of match?.kind === 'match' ? match.paths : []) {
    const entities = nodes.map((node) => {
      const key = node.name?.text ?? node;
      const entity = known.get(key) ?? entityOf(node, node.labels?.names[0]?.text);
      known.set(key, entity);
      return entity;
    });
    for (const [index, step] of steps.entries()) {
      const ends = [entities[index], entities[index + 1]];
      const [from, to] = step.direction === 'left' ? [...ends].reverse() : ends;
      if (from !== undefined && to !== undefined) edges.push({ ...entityOf(step, step.types[0]?.text), from, to });
    }
  }
  return { nodes: [...known.values()], edges };
};

const entityOf = ({ properties }: NodePattern | StepPattern, table = ''): Entity => {
  const entries = properties?.kind === 'map' ? properties.entries : [];
  return { table, values: Object.fromEntries(entries.map(({ key, value }) => [key.text, valueOf(value)])) };
};

const valueOf = (value: Expression): unknown => {
  if (value.kind === 'literal') return value.value;
  if (value.kind === 'number') return Number(value.text);
  if (value.kind === 'unary') return -Number(valueOf(value.of));
  if (value.kind === 'list') return value.items.map(valueOf);
  throw new Error(`${value.kind} is not a value of a demonstration.`);
};

const tablesOf = <E extends Entity>(entities: readonly E[]): ReadonlyMap<string, readonly E[]> =>
  new Map(entities.map(({ table }) => [table, entities.filter((entity) => entity.table === table)]));

const PROPERTY_TYPES = { BIGINT: 'INT64', DOUBLE: 'DOUBLE', BOOLEAN: 'BOOL', VARCHAR: 'STRING' } as const;

const propertiesOf = (rows: readonly Entity[]) =>
  columnsOf(rows.map(({ values }) => values)).map(([name, type]) => {
    const scalar = Object.entries(PROPERTY_TYPES).find(([sql]) => sql === type)?.[1];
    return { name, type: scalar ?? ('LIST' as const) };
  });

/** The key first. */
const columnsOf = (rows: readonly Entity['values'][]): readonly (readonly [string, string])[] => {
  const names = [...new Set(['id', ...rows.flatMap((row) => Object.keys(row))])].filter((name) =>
    rows.some((row) => name in row),
  );
  return names.map((name) => [
    name,
    sqlType(rows.map((row) => row[name]).find((value) => value !== undefined && value !== null)),
  ]);
};

const sqlType = (value: unknown): string => {
  if (Array.isArray(value)) return `${sqlType(value[0])}[]`;
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value !== 'number') return 'VARCHAR';
  return Number.isInteger(value) ? 'BIGINT' : 'DOUBLE';
};

const selectOf = (rows: readonly Entity['values'][]): string => {
  const columns = columnsOf(rows);
  const selects = rows.map((row) => {
    const cells = columns.map(([name, type]) => `CAST(${sqlValue(row[name])} AS ${type}) AS "${name}"`);
    return `SELECT ${cells.join(', ')}`;
  });
  return selects.join(' UNION ALL ');
};

const sqlValue = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sqlValue).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value === undefined ? 'NULL' : JSON.stringify(value);
};

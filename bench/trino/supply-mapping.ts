import { type PropertyType } from '../../domain/mapping';

/** A definition's query on a schema of Trino's `tpch` catalog. */
type QueryOn = (schema: string) => string;

const node = (
  label: string,
  sql: string,
  key: string,
  ...properties: readonly (readonly [string, PropertyType])[]
) => ({
  ...{ label, sql, primary_key: { name: key, type: 'INT64' as const } },
  properties: properties.map(([name, type]) => ({ name, type })),
});
const edge = (
  type: string,
  [from, to]: readonly [string, string],
  sql: string,
  [fromKey, toKey]: readonly [string, string],
  ...properties: readonly (readonly [string, PropertyType])[]
) => ({
  ...{ type, from_node: from, to_node: to, sql, from_key: fromKey, to_key: toKey },
  properties: properties.map(([name, propertyType]) => ({ name, type: propertyType })),
});

const OFFER = 'partkey * 100000 + suppkey AS offer';
const BOUGHT: QueryOn = (tpch) => `SELECT o.custkey, l.partkey, l.quantity, l.extendedprice, l.shipdate
  FROM ${tpch}.lineitem l JOIN ${tpch}.orders o ON o.orderkey = l.orderkey
  WHERE l.linenumber = 1 AND l.orderkey % 2 = 0`;

/** TPC-H as a graph: 1.16 million nodes and 2.5 million edges in the schema `tpch.sf1`, 11,630 and 25,000 in `tpch.tiny`. */
export const supplyMapping = (tpch: string) => ({
  name: 'Supply',
  node_definitions: [
    node('Customer', `SELECT custkey, name, mktsegment, acctbal FROM ${tpch}.customer`, 'custkey', ['name', 'STRING'], ['mktsegment', 'STRING'], ['acctbal', 'DOUBLE']), // prettier-ignore
    node('Supplier', `SELECT suppkey, name, acctbal FROM ${tpch}.supplier`, 'suppkey', ['name', 'STRING'], ['acctbal', 'DOUBLE']), // prettier-ignore
    node('Part', `SELECT partkey, name, brand, size, retailprice FROM ${tpch}.part`, 'partkey', ['name', 'STRING'], ['brand', 'STRING'], ['size', 'INT32'], ['retailprice', 'DOUBLE']), // prettier-ignore
    node('Offer', `SELECT ${OFFER}, availqty, supplycost FROM ${tpch}.partsupp`, 'offer', ['availqty', 'INT32'], ['supplycost', 'DOUBLE']), // prettier-ignore
    node('Nation', `SELECT nationkey, name FROM ${tpch}.nation`, 'nationkey', ['name', 'STRING']),
    node('Region', `SELECT regionkey, name FROM ${tpch}.region`, 'regionkey', ['name', 'STRING']),
  ],
  edge_definitions: [
    edge('OFFERS_PART', ['Offer', 'Part'], `SELECT ${OFFER}, partkey FROM ${tpch}.partsupp`, ['offer', 'partkey']),
    edge('OFFERED_BY', ['Offer', 'Supplier'], `SELECT ${OFFER}, suppkey FROM ${tpch}.partsupp`, ['offer', 'suppkey']),
    edge('BOUGHT', ['Customer', 'Part'], BOUGHT(tpch), ['custkey', 'partkey'], ['quantity', 'DOUBLE'], ['extendedprice', 'DOUBLE'], ['shipdate', 'DATE']), // prettier-ignore
    edge('LIVES_IN', ['Customer', 'Nation'], `SELECT custkey, nationkey FROM ${tpch}.customer`, ['custkey', 'nationkey']), // prettier-ignore
    edge('BASED_IN', ['Supplier', 'Nation'], `SELECT suppkey, nationkey FROM ${tpch}.supplier`, ['suppkey', 'nationkey']), // prettier-ignore
    edge('PART_OF', ['Nation', 'Region'], `SELECT nationkey, regionkey FROM ${tpch}.nation`, ['nationkey', 'regionkey']), // prettier-ignore
  ],
});

/** For each definition: SQL and Cypher that count the same rows. */
export const supplyCounts = (
  tpch: string,
): readonly { readonly what: string; readonly sql: string; readonly cypher: string }[] => {
  const { node_definitions: nodes, edge_definitions: edges } = supplyMapping(tpch);
  const count = (what: string, sql: string, cypher: string) => ({ what, sql: `SELECT count(*) FROM (${sql})`, cypher });
  return [
    ...nodes.map(({ label, sql }) => count(label, sql, `MATCH (n:${label}) RETURN count(n)`)),
    ...edges.map(({ type, sql }) => count(type, sql, `MATCH ()-[e:${type}]->() RETURN count(e)`)),
  ];
};

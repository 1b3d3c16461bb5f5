import { type Either, left, right } from 'fp-ts/Either';

/** Data for a query that matches a node by its key. */
export interface KeyedLabel {
  readonly label: string;
  readonly key: string;
  /** A primary key type of mappings. */
  readonly type: string;
}

interface NamedNode {
  readonly of: KeyedLabel;
  /** The key as a literal in the query language of the kind. */
  readonly literal: string;
}

/** The node of an `_id`, which has the form `Label:key`; or the reason why the graph cannot contain it. */
export const nodeOfId = (
  id: string,
  labels: readonly KeyedLabel[],
  kind: 'graphdb_a' | 'graphdb_b',
): Either<string, NamedNode> => {
  const colon = id.indexOf(':');
  const of = colon < 0 ? undefined : labels.find(({ label }) => label === id.slice(0, colon));
  if (of === undefined) {
    const known = labels.map(({ label }) => label).join(', ');
    return left(`has ${id}, which is not the name of a node; expected Label:key with a label of the graph: ${known}`);
  }
  const key = id.slice(colon + 1);
  if (/^INT/.test(of.type)) {
    return /^(0|-?[1-9]\d{0,18})$/.test(key)
      ? right({ of, literal: key })
      : left(`has ${id}, whose key is not an integer without leading zeros`);
  }
  const quoted = `'${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const make = FUNCTIONS[kind][of.type];
  return right({ of, literal: make === undefined ? quoted : `${make}(${quoted})` });
};

/** Functions that convert text to keys, for the types that need one. */
const FUNCTIONS: Readonly<Record<'graphdb_a' | 'graphdb_b', Readonly<Record<string, string>>>> = {
  graphdb_a: { DATE: 'date', TIMESTAMP: 'timestamp', UUID: 'uuid' },
  graphdb_b: { DATE: 'date', TIMESTAMP: 'localdatetime' },
};

/** Quotes a name for a query. */
export const cypherName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

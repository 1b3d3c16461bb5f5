import { name, property } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { type Expression } from '../../cypher/tree';
import { changeExpressions, pathsIn } from '../../cypher/walk';

/** `(n $properties)` is an error: the fields of the map are written one by one. */
export const parametersAsProperties: Cure = (query) => {
  const patterns = pathsIn(query).flatMap(({ nodes, steps }) => [...nodes, ...steps]);
  const maps = new Set<Expression | null>(patterns.map(({ properties }) => properties));
  return changeExpressions(query, (value) => {
    if (value.kind !== 'parameter' || !maps.has(value)) return value;
    if (value.type?.kind !== 'map' || value.type.fields === undefined)
      throw new QueryFault('Properties in a pattern are a map: {name: value}.', value.start);
    const entries = [...value.type.fields.keys()].map((key) => ({
      key: name(key, value),
      value: property(value, key),
    }));
    return { kind: 'map', entries, start: value.start, end: value.end };
  });
};

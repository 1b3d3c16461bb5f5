import { parseStatement } from '../../../../../pod/graph/engine/cypher/parse-statement';
import { EMPTY_SCHEMA } from '../../../../../pod/graph/engine/graph-schema';
import { skipsRightBlocks } from '../../../../../pod/graph/engine/kuzu/quirks/skipped-blocks';

const skips = (text: string) => skipsRightBlocks(parseStatement(text).query, EMPTY_SCHEMA);

test.each([
  'MATCH (n:Number) WHERE n.id > 36 RETURN count(*)',
  'MATCH (n:Number {id: $id}) RETURN n.id, max(n.id)',
  'MATCH (n)-[:KNOWS*1..3]->(m) WHERE (n.id = 0x1e) RETURN m',
  'MATCH (n) WHERE n.name = "36.5" AND EXISTS { MATCH (n)-[]->() } RETURN n // 1.5',
])('blocks are skipped where a text compares only with integers and text: %s', (text) => {
  expect(skips(text)).toBe(true);
});

test.each([
  'MATCH (n) WHERE n.id > 36.5 RETURN n',
  'MATCH (n) WHERE n.id > .5 RETURN n',
  'MATCH (n) WHERE n.id > 1e3 RETURN n',
  'MATCH (n) WHERE n.id > 2 ^ 5 RETURN n',
  'MATCH (n) WHERE n.born > timestamp($t) RETURN n',
  'MATCH (n) WHERE n.id > `sqrt`(5) RETURN n',
  'PROFILE MATCH (n) WHERE n.id > sqrt(5) RETURN n',
  'MATCH (n) WHERE n.id > cast("1.5", "DOUBLE") RETURN n',
])('all blocks are scanned where a text has other constants, or may compute some: %s', (text) => {
  expect(skips(text)).toBe(false);
});

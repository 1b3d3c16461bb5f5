import { parseStatement } from '../../../../../pod/graph/engine/cypher/parse-statement';
import { misreadTimes } from '../../../../../pod/graph/engine/evaluate/misread-times';
import { type GraphProperty, type GraphSchema, scalar } from '../../../../../pod/graph/engine/graph-schema';

const property = (name: string, type: string): GraphProperty => ({
  name,
  declaredType: type,
  type: scalar(type),
  wholeMilliseconds: false,
});

const SCHEMA: GraphSchema = {
  nodeTables: [
    {
      label: 'Person',
      primaryKey: property('id', 'STRING'),
      properties: [property('born', 'DATE'), property('seen', 'TIMESTAMP')],
    },
  ],
  edgeTables: [],
};

const warnings = (condition: string): readonly string[] =>
  misreadTimes(parseStatement(`MATCH (p:Person) WHERE ${condition} RETURN p`).query, SCHEMA);

test.each([
  [`p.born >= '1920'`, `'1920' is not a DATE, so nothing equals it; write it as '2024-05-01'.`],
  [
    `'01.05.2024' < p.seen`,
    `'01.05.2024' is not a TIMESTAMP, so nothing equals it; write it as '2024-05-01T10:30:00Z'.`,
  ],
  [`p.born IN ['1998-3-1', 'soon']`, `'soon' is not a DATE, so nothing equals it; write it as '2024-05-01'.`],
  [
    `'1998-01-01' < p.born < '1998-02-30'`,
    `'1998-02-30' is not a DATE, so nothing equals it; write it as '2024-05-01'.`,
  ],
  [`p.born STARTS WITH '19'`, 'STARTS WITH is null for a DATE, which is not a text; write toString(…).'],
  [`p.seen =~ '19.*'`, '=~ is null for a TIMESTAMP, which is not a text; write toString(…).'],
])('a condition on a date or time that no row meets is reported: %s', (condition, warning) =>
  expect(warnings(condition)).toEqual([warning]),
);

test.each([
  `p.born = '1998-3-1' OR p.born > '+012024-01-01' OR p.born < 'infinity' OR p.born = $day`,
  `p.seen IN ['2024-05-01T10:30Z', '2024-05-01 10:30:00.123456789+02', '2024/05/01']`,
  `p.id = 'soon' AND p.id STARTS WITH '1' AND toString(p.born) STARTS WITH '19'`,
])('%s: no warning', (condition) => expect(warnings(condition)).toEqual([]));

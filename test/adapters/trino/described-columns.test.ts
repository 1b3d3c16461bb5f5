import { exportedColumn } from '../../../adapters/trino/trino-types';
import { suggestDefinitions } from '../../../domain/sql-tools';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { withTrinoAnswering } from './answering-trino';

/** The columns of a query as Trino describes them: the first column has its name, the fifth its type. */
const described = (types: readonly string[]) => {
  const rows = [['id', '', '', '', 'bigint'], ...types.map((type, index) => [`c${index}`, '', '', '', type])];
  return withTrinoAnswering([], JSON.stringify(rows), (engine) => engine.describe('SELECT * FROM t'));
};

it('has the refusal of the export in the suggestion for each column that cannot be exported', async () => {
  const types = [
    ...['hyperloglog', 'qdigest(bigint)', 'color', 'timestamp(12)', 'timestamp(9) with time zone'],
    ...['array(json)', 'map(varchar, hyperloglog)', 'row("a" timestamp(12))'],
  ];
  const refusals = types.map((type, index) => expectLeft(exportedColumn({ name: `c${index}`, type })));
  const columns = expectRight(await described(types));
  const { warnings } = suggestDefinitions([{ sql: '-- name: T\nSELECT * FROM t', columns }], []);
  expect(warnings).toEqual(refusals.map((refusal) => `node_queries.0: ${refusal}`));
  expect(refusals[3]).toBe(
    'column "c3" has the type timestamp(12): a graph has microseconds; write CAST(… AS timestamp(6))',
  );
});

it('has a warning about values of CHAR, which are padded', async () => {
  const columns = expectRight(await described(['char(5)']));
  expect(suggestDefinitions([{ sql: '-- name: T\nSELECT * FROM t', columns }], []).warnings).toEqual([
    'node_queries.0: column c0 (char(5)) becomes STRING: its values are padded with spaces and do not equal those of VARCHAR; write rtrim(…), or CAST the others to CHAR',
  ]);
});

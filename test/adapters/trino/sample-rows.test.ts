import { expectRight } from '../../support/given-when-then';
import { withTrinoAnswering } from './answering-trino';

/** Types and values as Trino 476 sends them, with the sampled texts. */
const SENT: readonly (readonly [type: string, json: string, text: string | null])[] = [
  ['boolean', 'true', 'true'],
  ['integer', '7', '7'],
  ['bigint', '7', '7'],
  ['bigint', '-9223372036854775808', '-9223372036854775808'],
  ['bigint', 'null', null],
  ['double', '1.5', '1.5'],
  ['double', '"NaN"', 'NaN'],
  ['real', '"-Infinity"', '-Infinity'],
  ['decimal(38, 2)', '"123456789012345678901234567890.10"', '123456789012345678901234567890.10'],
  ['varchar', '"a \\"b\\""', 'a "b"'],
  ['varchar', JSON.stringify(`${'x'.repeat(499)}😀 and more`), `${'x'.repeat(499)}😀`],
  ['varbinary', '"AAE="', 'AAE='],
  ['timestamp(6)', '"2024-01-02 03:04:05.000006"', '2024-01-02 03:04:05.000006'],
  ['array(bigint)', '[1, null]', '[1,null]'],
  ['map(varchar, double)', '{"a": "NaN"}', '{"a":"NaN"}'],
];

it('samples rows of every type that Trino has as texts', async () => {
  const columns = SENT.map(([type], index) => ({ name: `c${index}`, type }));
  const row = `[[${SENT.map(([, json]) => json).join()}]]`;
  const sampled = await withTrinoAnswering(columns, row, (engine) => engine.sampleRows(['a', 'b', 'c'], 1, 'ada'));
  expect(expectRight(sampled).map(Object.values)).toEqual([SENT.map(([, , text]) => text)]);
});

import { resultTable } from '../../adapters/composition/demo/result-table';

test('numbers stand to the right, text to the left, and columns line up', () => {
  expect(
    resultTable(
      ['name', 'amount'],
      [
        ['Ada', 7],
        ['Bartholomew', 1234.5],
      ],
    ),
  ).toBe(['name         amount', '───────────  ──────', 'Ada               7', 'Bartholomew  1234.5'].join('\n'));
});

test('lists are shown as a way, nulls as nothing, and long text is cut', () => {
  const [, , row] = resultTable(['way', 'nothing', 'long'], [[['a', 'b'], null, 'x'.repeat(60)]]).split('\n');

  expect(row).toMatch(/^a → b +x{47}…$/);
});

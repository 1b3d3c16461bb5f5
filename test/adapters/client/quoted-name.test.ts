import { partsOfName, quotedName } from '../../../adapters/client/quoted-name';

test.each([
  ['bank.main.account', ['bank', 'main', 'account']],
  ['logs.raw 2024.users', ['logs', 'raw 2024', 'users']],
  ['"Firma GmbH"."1. Quartal"."Kunden ""Liste"""', ['Firma GmbH', '1. Quartal', 'Kunden "Liste"']],
  ['5" screens.x', ['5" screens', 'x']],
])('%s is the parts of its name', (written, parts) => {
  expect(partsOfName(written)).toEqual(parts);
});

test('the parts of a name are those that were quoted', () => {
  for (const parts of [
    ['bank', 'main', 'x'],
    ['a.b', '"', '" . "', 'Ä'],
    ['1. Quartal', 'select'],
  ])
    expect(partsOfName(parts.map(quotedName).join('.'))).toEqual(parts);
});

import { isRight } from 'fp-ts/Either';
import { QueryTimestamp, Timestamp } from '../../../../adapters/http/kit';

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.123456789+14:00', '2026-01-30T22:00:00.123Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('%s is a timestamp', (text, time) => {
  expect(Timestamp.decode(text)).toMatchObject({ right: time });
  expect(QueryTimestamp.decode(text)).toMatchObject({ right: new Date(time) });
});

test.each([
  ...['2026-02-30T00:00:00Z', '2026-01-31T24:01:00Z', '2026-01-31T12:00:00', '2026-01-31', '', 'now'],
  ...['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00', '0000-06-01T00:00:00Z'],
])('%j is not a timestamp', (text) => {
  expect([isRight(Timestamp.decode(text)), isRight(QueryTimestamp.decode(text))]).toEqual([false, false]);
});

import { counted } from '../../../domain/kernel/counted';

it('a number has its noun in the singular only if it is one', () => {
  expect([0, 1, 2].map((value) => counted(value, 'row'))).toEqual(['0 rows', '1 row', '2 rows']);
  expect(counted(2_250, 'row', '2,250')).toBe('2,250 rows');
});

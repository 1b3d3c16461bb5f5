import { createHash } from 'node:crypto';
import { UuidSet } from '../../projections/uuid-set';

const uuidOf = (number: number): string => {
  const digits = createHash('sha1').update(String(number)).digest('hex');
  return [8, 4, 4, 4, 12]
    .reduce<string[]>(
      (parts, length) => [...parts, digits.slice(parts.join('').length, parts.join('').length + length)],
      [],
    )
    .join('-');
};

describe('a set of UUIDs', () => {
  it('has each id that was added, and no other', () => {
    const set = new UuidSet();
    const ids = Array.from({ length: 50_000 }, (_, number) => uuidOf(number));
    expect(ids.filter((id) => !set.add(id))).toEqual([]);
    expect(ids.filter((id) => set.add(id))).toEqual([]);
  });

  it('distinguishes ids that differ in one digit, also the nil UUID', () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    const near = Array.from({ length: 36 }, (_, at) => nil.slice(0, at) + '1' + nil.slice(at + 1)).filter(
      (id) => id[8] === '-' && id[13] === '-' && id[18] === '-' && id[23] === '-',
    );
    expect(near).toHaveLength(32);
    const set = new UuidSet();
    for (const id of [nil, ...near]) expect([id, set.add(id), set.add(id)]).toEqual([id, true, false]);
  });
});

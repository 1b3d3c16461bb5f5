import { type IdGenerator } from '../../../domain/ports/id-generator';

/** The contract of id generators. `open` returns an unused one. */
export const describeIdGenerator = (
  name: string,
  open: () => Promise<{ readonly ids: IdGenerator; close(): Promise<void> }>,
): void => {
  describe(`the id generator: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('counts every kind separately, from 1', async () => {
      expect(await opened.ids.next('mapping')).toEqual([1]);
      expect(await opened.ids.next('mapping')).toEqual([2]);
      expect(await opened.ids.next('export_job', 3)).toEqual([1, 2, 3]);
      expect(await opened.ids.next('export_job')).toEqual([4]);
    });

    it('never returns an id twice to concurrent callers', async () => {
      const given = await Promise.all(Array.from({ length: 50 }, () => opened.ids.next('instance', 4)));

      expect(new Set(given.flat()).size).toBe(200);
      for (const ids of given) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    });

    it('returns the same id to a command again, and a different one to another command', async () => {
      const command = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
      const first = await opened.ids.nextFor(command, 'mapping');
      expect(first).toEqual({ id: 1, isNew: true });
      expect(await opened.ids.nextFor(command, 'mapping')).toEqual({ id: 1, isNew: false });
      const other = await opened.ids.nextFor(opened.ids.uuid(), 'mapping');
      expect(other.isNew && other.id > first.id).toBe(true);
      expect(await opened.ids.nextFor(command, 'snapshot')).toEqual({ id: 1, isNew: true });
    });

    it('creates UUIDs of version 7 in the order of time, and unpredictable ones of version 4', () => {
      const ordered = Array.from({ length: 100 }, () => opened.ids.uuid());

      expect(ordered).toEqual(ordered.toSorted());
      expect(ordered[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(opened.ids.secretUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    });

    it('derives the same UUID from the same name, as RFC 9562 computes it', () => {
      expect(opened.ids.derivedUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
        '2ed6657d-e927-568b-95e1-2665a8aea6a2',
      );
    });
  });
};

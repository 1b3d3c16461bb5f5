import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { type Either, isLeft } from 'fp-ts/Either';
import { type ObjectStore } from '../../../domain/ports/object-store';

const ok = <E, A>(result: Either<E, A>): A => {
  if (isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

/** The contract of object stores. `open` returns a store that is empty below its root. */
export const describeObjectStore = (name: string, open: () => Promise<ObjectStore>): void => {
  describe(`the object store on ${name}`, () => {
    let store: ObjectStore;
    let scratch: string;
    const localFile = async (content: string): Promise<string> => {
      const path = join(scratch, `local-${Math.random()}`);
      await writeFile(path, content);
      return path;
    };
    const keys = async (prefix: string): Promise<readonly string[]> =>
      ok(await store.list(prefix)).map((object) => object.key);

    beforeEach(async () => {
      store = await open();
      scratch = await mkdtemp(join(tmpdir(), 'rowgraph-objects-'));
    });
    afterEach(() => rm(scratch, { recursive: true, force: true }));

    it('returns a stored file, byte for byte, including after the local one is deleted', async () => {
      const path = await localFile('PAR1\u0000ä');
      const stored = ok(await store.putFile('ada/1/v1/7/part-0.parquet', path));
      await rm(path);

      expect(stored).toEqual({ key: 'ada/1/v1/7/part-0.parquet', sizeBytes: 7 });
      expect(ok(await store.getText(stored.key))).toBe('PAR1\u0000ä');
    });

    it('returns a stored text', async () => {
      expect(ok(await store.putText('a/manifest.json', '{"rows":"ü"}')).sizeBytes).toBe(13);
      expect(ok(await store.getText('a/manifest.json'))).toBe('{"rows":"ü"}');
      expect(ok(await store.putText('a/empty', '')).sizeBytes).toBe(0);
      expect(ok(await store.getText('a/empty'))).toBe('');
    });

    it('stores a stream of known and of unknown length', async () => {
      const megabytes = Array.from({ length: 12 }, (_, n) => Buffer.alloc(1024 * 1024, n));
      for (const bytes of [12 * 1024 * 1024, null]) {
        ok(await store.put('a/stream', { stream: Readable.from(megabytes), bytes }));
        expect(await store.list('a/')).toMatchObject({ right: [{ key: 'a/stream', sizeBytes: 12 * 1024 * 1024 }] });
        expect([...ok(await store.getRange('a/stream', 11 * 1024 * 1024 - 1, 11 * 1024 * 1024 + 1))]).toEqual([10, 11]);
      }
    });

    it('stores nothing for a stream that breaks off or is shorter than declared', async () => {
      const broken = (): Readable =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(6 * 1024 * 1024);
            throw new Error('the write failed');
          })(),
        );
      for (const bytes of [7 * 1024 * 1024, null]) {
        expect(isLeft(await store.put('a/broken', { stream: broken(), bytes }))).toBe(true);
      }
      expect(isLeft(await store.put('a/short', { stream: Readable.from([Buffer.from('four')]), bytes: 5 }))).toBe(true);
      expect(await keys('')).toEqual([]);
    });

    it('returns a part of an object', async () => {
      ok(await store.putText('a/b', '0123456789'));
      expect(ok(await store.getRange('a/b', 3, 5)).toString()).toBe('34');
      expect(ok(await store.getRange('a/b', 8, 20)).toString()).toBe('89');
      expect(await store.getRange('a/c', 0, 1)).toMatchObject({ left: { kind: 'not_found' } });
    });

    it('replaces an existing object', async () => {
      ok(await store.putText('a/b', 'first'));
      const path = await localFile('second');
      ok(await store.putFile('a/b', path));
      ok(await store.putFile('a/b', path));

      expect(ok(await store.getText('a/b'))).toBe('second');
      expect(await keys('a/')).toEqual(['a/b']);
    });

    it('returns not_found for a key without an object, and for a folder', async () => {
      ok(await store.putText('a/b/c', 'x'));
      for (const key of ['a/missing', 'a/b', 'a/b/c/d']) {
        expect(await store.getText(key)).toEqual({ _tag: 'Left', left: { kind: 'not_found', key } });
      }
    });

    it('lists everything below a prefix by key, and nothing else', async () => {
      for (const path of ['a/2/z', 'a/10/y', 'a/2/b/x', 'ab/w']) ok(await store.putText(path, path));

      expect(ok(await store.list('a/'))).toEqual([
        { key: 'a/10/y', sizeBytes: 6 },
        { key: 'a/2/b/x', sizeBytes: 7 },
        { key: 'a/2/z', sizeBytes: 5 },
      ]);
      expect(ok(await store.list('nothing/'))).toEqual([]);
    });

    it('deletes everything below a prefix, reports the count, and keeps other objects', async () => {
      for (const path of ['s/7/n/x', 's/7/e/y', 's/70/n/x']) ok(await store.putText(path, 'four'));

      expect(ok(await store.deleteAll('s/7/'))).toEqual({ files: 2, bytes: 8, failures: [] });
      expect(ok(await store.deleteAll('s/7/'))).toEqual({ files: 0, bytes: 0, failures: [] });
      expect(await keys('')).toEqual(['s/70/n/x']);
    });

    it('keeps one complete content when many write to the same key concurrently', async () => {
      const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));
      const writing = Promise.all(texts.map((text) => store.putText('a/b', text)));
      (await writing).forEach(ok);

      expect(texts).toContain(ok(await store.getText('a/b')));
      expect(await keys('')).toEqual(['a/b']);
    });

    it('rejects invalid keys', async () => {
      const outside = ['', '/etc/passwd', 'file:///etc/passwd', `${store.root}/x`, store.root];
      const within = ['../x', 'a/../../x', 'a/./b', 'a//b', 'a/', '..', 'a\\b', 'a\0b', '.'];
      for (const key of [...outside, ...within]) {
        expect(await store.putText(key, 'x')).toMatchObject({ left: { kind: 'invalid_key', key } });
        expect(await store.getText(key)).toMatchObject({ left: { kind: 'invalid_key', key } });
        expect(await store.readableAddress(key)).toMatchObject({ left: { kind: 'invalid_key', key } });
      }
      expect(await store.deleteAll('../')).toMatchObject({ left: { kind: 'invalid_key' } });
      expect(await store.deleteAll('a')).toMatchObject({ left: { kind: 'invalid_key' } });
    });

    it('lists a key unchanged, whatever its characters', async () => {
      const name = fc
        .string({ unit: fc.constantFrom(...Array.from('aZ09 %2eF.~@+ü#?&=:;,!')), minLength: 1, maxLength: 20 })
        .filter((text) => text !== '.' && text !== '..');
      await fc.assert(
        fc.asyncProperty(name, fc.string({ unit: 'grapheme' }), async (segment, text) => {
          const key = `p/${segment}/file`;
          ok(await store.putText(key, text));
          expect(ok(await store.list(`p/${segment}/`))).toMatchObject([{ key }]);
          expect(ok(await store.getText(key))).toBe(text);
          ok(await store.deleteAll('p/'));
        }),
        { numRuns: 30 },
      );
    });

    it('keeps finished objects when it removes unfinished ones', async () => {
      ok(await store.putText('a/b', 'x'));
      expect(ok(await store.removeUnfinished(new Date(Date.now() + 60_000)))).toBe(0);
      expect(await keys('')).toEqual(['a/b']);
    });
  });
};

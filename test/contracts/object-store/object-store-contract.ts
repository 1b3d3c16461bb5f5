import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Either, isLeft } from 'fp-ts/Either';
import { type ObjectStore } from '../../../domain/ports/object-store';

const ok = <E, A>(result: Either<E, A>): A => {
  if (isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

/** What every object store promises. `open` gives a store that is empty below its root. */
export const describeObjectStore = (name: string, open: () => Promise<ObjectStore>): void => {
  describe(`the object store on ${name}`, () => {
    let store: ObjectStore;
    let scratch: string;
    const at = (path: string): string => `${store.root}/${path}`;
    const localFile = async (content: string): Promise<string> => {
      const path = join(scratch, `local-${Math.random()}`);
      await writeFile(path, content);
      return path;
    };

    beforeEach(async () => {
      store = await open();
      scratch = await mkdtemp(join(tmpdir(), 'rowgraph-objects-'));
    });
    afterEach(() => rm(scratch, { recursive: true, force: true }));

    it('gives back a stored file, byte for byte, also after the local one is gone', async () => {
      const path = await localFile('PAR1\u0000ä');
      const stored = ok(await store.putFile(at('ada/1/v1/7/part-0.parquet'), path));
      await rm(path);

      expect(stored).toEqual({ key: at('ada/1/v1/7/part-0.parquet'), sizeBytes: 7 });
      const fetched = ok(await store.fetchFile(stored.key, scratch));
      expect(await readFile(fetched, 'utf8')).toBe('PAR1\u0000ä');
    });

    it('gives back a stored text', async () => {
      expect(ok(await store.putText(at('a/manifest.json'), '{"rows":"ü"}')).sizeBytes).toBe(13);
      expect(ok(await store.getText(at('a/manifest.json')))).toBe('{"rows":"ü"}');
    });

    it('replaces what was there before', async () => {
      ok(await store.putText(at('a/b'), 'first'));
      const path = await localFile('second');
      ok(await store.putFile(at('a/b'), path));
      ok(await store.putFile(at('a/b'), path));

      expect(ok(await store.getText(at('a/b')))).toBe('second');
      expect(ok(await store.list(at('a/'))).map((object) => object.key)).toEqual([at('a/b')]);
    });

    it('says not_found for an address nothing was stored under, and for a folder', async () => {
      ok(await store.putText(at('a/b/c'), 'x'));
      for (const key of [at('a/missing'), at('a/b'), at('a/b/c/d')]) {
        expect(await store.getText(key)).toEqual({ _tag: 'Left', left: { kind: 'not_found', key } });
        expect(await store.fetchFile(key, scratch)).toEqual({ _tag: 'Left', left: { kind: 'not_found', key } });
      }
    });

    it('lists everything below a prefix by address, and nothing beside it', async () => {
      for (const path of ['a/2/z', 'a/10/y', 'a/2/b/x', 'ab/w']) ok(await store.putText(at(path), path));

      expect(ok(await store.list(at('a/')))).toEqual([
        { key: at('a/10/y'), sizeBytes: 6 },
        { key: at('a/2/b/x'), sizeBytes: 7 },
        { key: at('a/2/z'), sizeBytes: 5 },
      ]);
      expect(ok(await store.list(at('nothing/')))).toEqual([]);
    });

    it('deletes everything below a prefix, tells how much, and leaves the neighbours', async () => {
      for (const path of ['s/7/n/x', 's/7/e/y', 's/70/n/x']) ok(await store.putText(at(path), 'four'));

      expect(ok(await store.deleteAll(at('s/7/')))).toEqual({ files: 2, bytes: 8 });
      expect(ok(await store.deleteAll(at('s/7/')))).toEqual({ files: 0, bytes: 0 });
      expect(ok(await store.list(at(''))).map((object) => object.key)).toEqual([at('s/70/n/x')]);
    });

    it('keeps one whole content when many write to the same address at once', async () => {
      const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));
      const writing = Promise.all(texts.map((text) => store.putText(at('a/b'), text)));
      (await writing).forEach(ok);

      expect(texts).toContain(ok(await store.getText(at('a/b'))));
      expect(ok(await store.list(at(''))).length).toBe(1);
    });

    it('refuses addresses outside its root', async () => {
      const outside = ['', 'x', '/etc/passwd', 'file:///etc/passwd', `${store.root}-other/x`, store.root];
      const within = ['../x', 'a/../../x', 'a/./b', 'a//b', 'a/', '..', 'a\\b', 'a\0b', '.'].map(at);
      for (const key of [...outside, ...within]) {
        expect(await store.putText(key, 'x')).toMatchObject({ left: { kind: 'unavailable', key } });
        expect(await store.getText(key)).toMatchObject({ left: { kind: 'unavailable', key } });
      }
      expect(await store.deleteAll(at('../'))).toMatchObject({ left: { kind: 'unavailable' } });
      expect(await store.deleteAll(at('a'))).toMatchObject({ left: { kind: 'unavailable' } });
    });

    it('lists an address exactly as it was given, whatever its characters', async () => {
      const name = fc
        .string({ unit: fc.constantFrom(...Array.from('aZ09 %2eF.~@+ü#?&=:;,!')), minLength: 1, maxLength: 20 })
        .filter((text) => text !== '.' && text !== '..');
      await fc.assert(
        fc.asyncProperty(name, fc.string({ unit: 'grapheme' }), async (segment, text) => {
          const key = at(`p/${segment}/file`);
          ok(await store.putText(key, text));
          expect(ok(await store.list(at(`p/${segment}/`)))).toMatchObject([{ key }]);
          expect(ok(await store.getText(key))).toBe(text);
          ok(await store.deleteAll(at('p/')));
        }),
        { numRuns: 30 },
      );
    });
  });
};

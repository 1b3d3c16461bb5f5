import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrorLines, parseJson } from '../../../domain/kernel/codecs';
import { type ObjectStore, type StoredObject } from '../../../domain/ports/object-store';

/** One Parquet file of a definition. */
interface ExportedFile {
  /** Object-store address. */
  readonly key: string;
  readonly bytes: number;
  /** Hex digest from the manifest; null when an outside worker wrote none. */
  readonly sha256: string | null;
}

const Manifest = t.strict({
  files: t.readonlyArray(
    t.intersection([
      t.strict({ file: t.string, rows: t.Integer, bytes: t.Integer }),
      // Absent for files that the query engine wrote to the store itself.
      t.partial({ sha256: t.string }),
    ]),
  ),
  rows: t.Integer,
});

/**
 * Brings the files of one definition to `directory` and checks size and checksum. Answers local paths of plain names:
 * engines read `*` and `[` in a path as patterns, and owners may have them in theirs.
 */
export const fetchFiles = async (
  store: ObjectStore,
  prefix: string,
  directory: string,
): Promise<Either<string, readonly string[]>> => {
  const found = await findExportedFiles(store, prefix);
  if (isLeft(found)) return found;
  await mkdir(directory, { recursive: true });
  const paths: string[] = [];
  for (const [index, file] of found.right.entries()) {
    const fetched = await store.fetchFile(file.key, directory);
    if (isLeft(fetched)) return left(`${file.key} could not be fetched (${describe(fetched.left)})`);
    const complaint = await findDamage(file, fetched.right);
    if (complaint !== null) return left(complaint);
    const path = join(directory, `exported-${index}.parquet`);
    await symlink(fetched.right, path);
    paths.push(path);
  }
  return right(paths);
};

const findDamage = async ({ key, bytes, sha256 }: ExportedFile, path: string): Promise<string | null> => {
  const { size } = await stat(path);
  if (size !== bytes) return `${key} has ${size} bytes, its manifest says ${bytes}; export the snapshot again`;
  if (sha256 === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  const actual = hash.digest('hex');
  return actual === sha256.toLowerCase()
    ? null
    : `${key} has checksum ${actual}, its manifest says ${sha256}; export the snapshot again`;
};

/**
 * The files of one definition below `prefix` (ends in `/`). An attempt is complete once its folder has a
 * manifest, so the newest folder with one counts; without any manifest, every Parquet file below the prefix does.
 */
const findExportedFiles = async (
  store: ObjectStore,
  prefix: string,
): Promise<Either<string, readonly ExportedFile[]>> => {
  const listed = await store.list(prefix);
  if (isLeft(listed)) return left(`the files below ${prefix} could not be listed (${describe(listed.left)})`);
  const manifest = newestManifest(prefix, listed.right);
  if (manifest !== null) return readManifest(store, manifest);
  const parquet = listed.right.filter(({ key }) => key.endsWith('.parquet'));
  return parquet.length === 0
    ? left(`no exported file found below ${prefix}; export the snapshot again`)
    : right(parquet.map(({ key, sizeBytes }) => ({ key, bytes: sizeBytes, sha256: null })));
};

const newestManifest = (prefix: string, objects: readonly StoredObject[]): string | null => {
  const found = objects.flatMap(({ key }) => {
    const attempt = /^attempt-(\d+)\/manifest\.json$/.exec(key.slice(prefix.length))?.[1];
    return attempt === undefined ? [] : [{ key, attempt: Number(attempt) }];
  });
  return found.sort((a, b) => b.attempt - a.attempt)[0]?.key ?? null;
};

const readManifest = async (store: ObjectStore, key: string): Promise<Either<string, readonly ExportedFile[]>> => {
  const text = await store.getText(key);
  if (isLeft(text)) return left(`the manifest ${key} could not be read (${describe(text.left)})`);
  const manifest = Manifest.decode(parseJson(text.right));
  if (isLeft(manifest)) {
    const wrong = fieldErrorLines(manifest.left);
    return left(`the manifest ${key} is not valid (${wrong.join('; ')}); export the snapshot again`);
  }
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  return right(manifest.right.files.map(({ file, bytes, sha256 = null }) => ({ key: folder + file, bytes, sha256 })));
};

const describe = (error: { readonly kind: string; readonly reason?: string }): string => error.reason ?? error.kind;

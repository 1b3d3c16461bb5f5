import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { describe, findExportedFiles, type ExportedFile } from './exported-files';

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

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fieldErrorLines, parseJson } from '../domain/kernel/codecs';
import { type DomainError, domainError, unavailable } from '../domain/kernel/errors';
import { type ObjectStore, objectStoreReason, type StoredObject } from '../domain/ports/object-store';
import { type FilePage, Manifest } from './views/snapshot';

interface ExportedFile {
  readonly key: string;
  readonly bytes: number;
  /** Hex digest; null without a manifest. */
  readonly sha256: string | null;
}

type Files = Pick<ObjectStore, 'getText' | 'list' | 'readableAddress'>;
type Failure = DomainError<'SERVICE_UNAVAILABLE' | 'INVALID_STATE'>;

const PAGE_FILES = 500;

/**
 * A page of the files of one definition in its folder (ends in `/`). An attempt is complete once its folder has a
 * manifest, so the newest folder with a manifest is listed; without manifests, all Parquet files in the folder.
 */
export const findSnapshotFiles = async (
  store: Files,
  folder: string,
  after: number,
): Promise<Either<Failure, FilePage>> => {
  const found = await findExportedFiles(store, folder);
  if (isLeft(found)) return found;
  const files = [];
  for (const { key, bytes, sha256 } of found.right.slice(after, after + PAGE_FILES)) {
    const address = await store.readableAddress(key);
    if (isLeft(address)) return left(unavailable('The object store', objectStoreReason(address.left)));
    files.push({ address: address.right, bytes, checksum: sha256 });
  }
  const next = after + files.length;
  return right({ files, next: next < found.right.length ? next : null });
};

const findExportedFiles = async (store: Files, folder: string): Promise<Either<Failure, readonly ExportedFile[]>> => {
  const listed = await store.list(folder);
  if (isLeft(listed)) return left(unavailable('The object store', objectStoreReason(listed.left)));
  const manifest = newestManifest(folder, listed.right);
  if (manifest !== null) return readManifest(store, manifest);
  const parquet = listed.right.filter(({ key }) => key.endsWith('.parquet'));
  return parquet.length === 0
    ? left(exportAgain(`no exported file found below ${folder}`))
    : right(parquet.map(({ key, sizeBytes }) => ({ key, bytes: sizeBytes, sha256: null })));
};

const newestManifest = (folder: string, objects: readonly StoredObject[]): string | null => {
  const found = objects.flatMap(({ key }) => {
    const attempt = /^attempt-(\d+)\/manifest\.json$/.exec(key.slice(folder.length))?.[1];
    return attempt === undefined ? [] : [{ key, attempt: Number(attempt) }];
  });
  return found.sort((a, b) => b.attempt - a.attempt)[0]?.key ?? null;
};

const readManifest = async (store: Files, key: string): Promise<Either<Failure, readonly ExportedFile[]>> => {
  const text = await store.getText(key);
  if (isLeft(text)) return left(unavailable('The object store', objectStoreReason(text.left)));
  const manifest = Manifest.decode(parseJson(text.right));
  if (isLeft(manifest)) {
    return left(exportAgain(`the manifest ${key} is not valid (${fieldErrorLines(manifest.left).join('; ')})`));
  }
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  return right(manifest.right.files.map(({ file, bytes, sha256 }) => ({ key: folder + file, bytes, sha256 })));
};

const exportAgain = (what: string): DomainError<'INVALID_STATE'> =>
  domainError('INVALID_STATE', `${what}; create the instance again`);

import { isLeft } from 'fp-ts/Either';
import { deletionFailure, type ObjectStore, objectStoreReason } from '../../domain/ports/object-store';

const PROBES = '.health/';
/** Longer than a check of another replica takes. */
const ABANDONED_MS = 600_000;

/**
 * Writes, reads and deletes a small object, in a folder of this replica only; null on success. Also deletes those of
 * replicas that have ended, which could not delete theirs.
 */
export const probeObjectStore = async (objects: ObjectStore, replica: string, now: Date): Promise<string | null> => {
  const folder = `${PROBES}${replica}/`;
  const text = now.toISOString();
  const key = `${folder}probe`;
  const put = await objects.putText(key, text);
  if (isLeft(put)) return objectStoreReason(put.left);
  const read = await objects.getText(key);
  const abandoned = await abandonedProbes(objects, key, now);
  let problem = isLeft(read) ? objectStoreReason(read.left) : null;
  if (!isLeft(read) && read.right !== text) problem = `${key} read back different content`;
  for (const probed of [folder, ...abandoned]) {
    const failure = deletionFailure(await objects.deleteAll(probed));
    problem ??= failure && objectStoreReason(failure);
  }
  return problem;
};

/** The folders of the other probes that are too old to be in use. */
const abandonedProbes = async (objects: ObjectStore, current: string, now: Date): Promise<readonly string[]> => {
  const listed = await objects.list(PROBES);
  const folders: string[] = [];
  for (const { key } of isLeft(listed) ? [] : listed.right) {
    const written = key === current ? null : await objects.getText(key);
    const isInUse = written === null || isLeft(written) || now.getTime() - Date.parse(written.right) < ABANDONED_MS;
    if (!isInUse) folders.push(key.slice(0, key.lastIndexOf('/') + 1));
  }
  return folders;
};

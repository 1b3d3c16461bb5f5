import { type ObjectStore } from '../../domain/ports/object-store';
import { type S3Settings } from '../contracts/object-store-settings';
import { FilesystemObjectStore } from '../filesystem/filesystem-object-store';

/** The configured object store; `directory` without S3, whose client then is not loaded. */
export const openObjectStore = async (s3: S3Settings | null, directory: string): Promise<ObjectStore> =>
  s3 === null ? new FilesystemObjectStore(directory) : new (await import('./s3-object-store.js')).S3ObjectStore(s3);

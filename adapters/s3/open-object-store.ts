import { type ObjectStore } from '../../domain/ports/object-store';
import { type S3Settings } from '../contracts/object-store-settings';
import { FilesystemObjectStore } from '../filesystem/filesystem-object-store';
import { S3ObjectStore } from './s3-object-store';

/** The configured object store; `directory` without S3. */
export const openObjectStore = (s3: S3Settings | null, directory: string): ObjectStore =>
  s3 === null ? new FilesystemObjectStore(directory) : new S3ObjectStore(s3);

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FilesystemObjectStore } from '../../adapters/filesystem/filesystem-object-store';
import { type ExportDestination, type ExportState } from '../../domain/ports/query-engine';
import { exportDestination } from '../../pod/export-worker/export-destination';

/** A destination in a local folder. */
export const localDestination = (folder: string): ExportDestination => {
  const store = new FilesystemObjectStore(join(folder, 'objects'));
  return exportDestination(store, 'attempt-1/');
};

/** Paths of the files of a finished export in a local folder; empty while it runs. */
export const storedPaths = ({ url }: ExportDestination, ended: ExportState): readonly string[] =>
  ended.state === 'finished' ? ended.storedFiles.map(({ name }) => fileURLToPath(url + name)) : [];

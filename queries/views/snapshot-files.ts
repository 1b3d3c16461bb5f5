import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';

/** A stored Parquet file of a definition. */
export const FileToLoad = t.strict({
  /** `file://`, or a URL that expires. */
  address: t.string,
  bytes: t.number,
  /** SHA-256 in hex digits; null when none was recorded. */
  checksum: nullable(t.string),
});
export type FileToLoad = t.TypeOf<typeof FileToLoad>;

/** Some files of a definition. */
export const FilePage = t.strict({
  files: t.readonlyArray(FileToLoad),
  /** `after` of the next page; null after the last one. */
  next: nullable(t.number),
});
export type FilePage = t.TypeOf<typeof FilePage>;

/** The record of a complete attempt; its file is stored last. */
export const Manifest = t.strict({
  files: t.readonlyArray(
    t.intersection([
      t.strict({ file: t.string, rows: t.Integer, bytes: t.Integer }),
      // Absent for files that the query engine wrote to the store itself.
      t.partial({ sha256: t.string }),
    ]),
  ),
  rows: t.Integer,
});
export type Manifest = t.TypeOf<typeof Manifest>;

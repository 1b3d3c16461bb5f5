import { type Either, isLeft, left, right } from 'fp-ts/Either';

/** Bytes from `start` to before `end` of a file; `left` is the reason. */
export type ReadRange = (start: number, end: number) => Promise<Either<string, Uint8Array>>;

class UnreadRange extends Error {}

/** The number of rows of a Parquet file, by its footer: nothing else is read. Fails with a reason when it is not one. */
export const parquetRows = async (bytes: number, readRange: ReadRange): Promise<Either<string, number>> => {
  // An ES module: loaded when it is needed.
  const { parquetMetadataAsync } = await import('hyparquet');
  const slice = async (start: number, end = bytes): Promise<ArrayBuffer> => {
    const read = await readRange(start, end);
    if (isLeft(read)) throw new UnreadRange(read.left);
    return new Uint8Array(read.right).buffer;
  };
  try {
    return right(Number((await parquetMetadataAsync({ byteLength: bytes, slice })).num_rows));
  } catch (error) {
    if (error instanceof UnreadRange) return left(error.message);
    return left(`not a readable Parquet file: ${error instanceof Error ? error.message : String(error)}`);
  }
};

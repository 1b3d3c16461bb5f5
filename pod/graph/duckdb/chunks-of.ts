import { type DuckDBDataChunk, type DuckDBResult } from '@duckdb/node-api';

/** The chunks of a streamed result. While one is used the next one is read. */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk, void> {
  let next = result.fetchChunk();
  for (let chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
    next = result.fetchChunk();
    // A failure is thrown when this chunk has been used.
    next.catch(() => undefined);
    yield chunk;
  }
}

import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { trinoSettings } from '../../../adapters/contracts/trino-settings';
import { createTrinoQueryEngine } from '../../../adapters/trino/trino-query-engine';
import { type SharedQueryEngine } from '../../../domain/ports/query-engine';
import { expectRight } from '../../support/given-when-then';

/** Uses an engine whose server ends every statement with this page; `data` is its JSON text. */
export const withTrinoAnswering = async <A>(
  columns: readonly { readonly name: string; readonly type: string }[],
  data: string,
  use: (engine: SharedQueryEngine) => Promise<A>,
): Promise<A> => {
  const page = `{"id": "q", "columns": ${JSON.stringify(columns)}, "data": ${data}}`;
  const server = createServer((_request, response) => response.end(page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = trinoSettings({ ROWGRAPH_TRINO_URL: url, ROWGRAPH_TRINO_EXPORT_SCHEMA: 'hive.exports' });
    return await use(createTrinoQueryEngine(expectRight(settings)));
  } finally {
    server.close();
  }
};

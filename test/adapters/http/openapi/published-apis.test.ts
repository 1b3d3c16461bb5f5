import SwaggerParser from '@apidevtools/swagger-parser';
import { GRAPHDB_A_ENDPOINTS, GRAPHDB_B_ENDPOINTS } from '../../../../adapters/contracts/graph-pod/endpoints';
import { internalEndpoints } from '../../../../adapters/http/internal/describe-internal-api';
import { type EndpointTable } from '../../../../adapters/http/kit';
import { publicEndpoints } from '../../../../adapters/http/public/public-endpoints';
import { apiDocuments } from '../../../../adapters/start/api-documents';

const tables: Readonly<Record<string, EndpointTable>> = {
  'openapi.json': publicEndpoints,
  'openapi-internal.json': internalEndpoints,
  'openapi-pod-a.json': GRAPHDB_A_ENDPOINTS,
  'openapi-pod-b.json': GRAPHDB_B_ENDPOINTS,
};

describe.each(Object.entries(apiDocuments))('the description %s', (file, document) => {
  const sent = JSON.parse(JSON.stringify(document)) as typeof document;
  const operations = Object.values(sent.paths).flatMap((methods) => Object.values(methods));

  test('is valid OpenAPI 3.1', async () => {
    await expect(SwaggerParser.validate(structuredClone(sent) as never)).resolves.toBeDefined();
  });

  test('includes every operation that is served', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(tables[file] ?? {}).sort());
  });

  test('describes every tag and every parameter; the texts are in its …-api-words.ts', () => {
    expect(sent.tags.filter(({ description }) => description === undefined)).toEqual([]);
    const parameters = operations
      .flatMap((operation) => operation['parameters'] as readonly Readonly<Record<string, unknown>>[])
      .filter((parameter) => !('$ref' in parameter) && parameter['description'] === undefined);
    expect(parameters.map(({ name }) => name)).toEqual([]);
  });
});

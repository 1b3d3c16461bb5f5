import SwaggerParser from '@apidevtools/swagger-parser';
import { exportJobEndpoints } from '../../../adapters/http/internal/export-job-endpoints';
import { instanceEndpoints } from '../../../adapters/http/internal/instance-endpoints';
import { snapshotEndpoints } from '../../../adapters/http/internal/snapshot-endpoints';
import { openApiDocument } from '../../../adapters/http/kit/openapi-document';
import { publicEndpoints } from '../../../adapters/http/public/public-endpoints';

test.each([
  ['public', '/api', publicEndpoints, 'public'],
  ['internal', '/api/internal', { ...exportJobEndpoints, ...snapshotEndpoints, ...instanceEndpoints }, 'flat'],
] as const)('every operation of the %s API is described', async (title, basePath, endpoints, envelope) => {
  const document = openApiDocument({ title, version: '1', serverUrl: '', basePath, endpoints, envelope });
  const described = Object.values(document.paths).flatMap((operations) => Object.values(operations));
  expect(described.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(endpoints).sort());
  const sent: unknown = JSON.parse(JSON.stringify(document));
  await expect(SwaggerParser.validate(sent as never)).resolves.toBeDefined();
});

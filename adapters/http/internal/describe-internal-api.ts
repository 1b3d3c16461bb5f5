import { openApiDocument, type OpenApiDocument } from '../kit';
import { internalApiWords } from './openapi-text';
import { internalEndpoints } from './internal-endpoints';

/** The OpenAPI document of the internal API as it is served below `baseUrl`. */
export const describeInternalApi = ({
  version,
  baseUrl,
}: {
  readonly version: string;
  readonly baseUrl: string;
}): OpenApiDocument =>
  openApiDocument({
    title: 'rowgraph internal API',
    version,
    serverUrl: baseUrl,
    basePath: '/api/internal',
    endpoints: internalEndpoints,
    envelope: 'flat',
    about: internalApiWords,
  });

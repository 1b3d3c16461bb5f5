import { EdgeDefinition, NodeDefinition } from '../../../domain/mapping';
import { openApiDocument, type OpenApiDocument } from '../kit';
import { publicApiWords } from './openapi-text';
import { publicExamples } from './public-examples';
import { publicEndpoints } from './public-endpoints';

/** The OpenAPI document of the public API as it is served below `baseUrl`. */
export const describePublicApi = ({
  version,
  baseUrl,
}: {
  readonly version: string;
  readonly baseUrl: string;
}): OpenApiDocument =>
  openApiDocument({
    title: 'rowgraph',
    version,
    serverUrl: baseUrl,
    basePath: '/api',
    endpoints: publicEndpoints,
    envelope: 'public',
    about: publicApiWords,
    examples: publicExamples,
    schemas: { NodeDefinition, EdgeDefinition },
  });

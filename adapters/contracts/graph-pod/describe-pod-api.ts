import { type EndpointTable, openApiDocument, type OpenApiDocument } from '../../http/kit';
import { type ErrorCode } from '../../../domain/kernel/errors';
import { GRAPHDB_A_ENDPOINTS, GRAPHDB_B_ENDPOINTS } from './endpoints';
import { podApiWords } from './openapi-text';
import { type PodSettings } from './settings';

type Kind = PodSettings['wrapperType'];

const ENDPOINTS: Readonly<Record<Kind, EndpointTable>> = {
  graphdb_a: GRAPHDB_A_ENDPOINTS,
  graphdb_b: GRAPHDB_B_ENDPOINTS,
};
const NEVER: Readonly<Record<Kind, ErrorCode>> = { graphdb_a: 'GRAPHDB_B_ERROR', graphdb_b: 'GRAPHDB_A_ERROR' };

/** The OpenAPI document of the instances of a kind as one is served at `instanceUrl`. */
export const describePodApi = (
  kind: Kind,
  { version, instanceUrl }: { readonly version: string; readonly instanceUrl: string },
): OpenApiDocument =>
  openApiDocument({
    title: `rowgraph instance (${kind})`,
    version,
    serverUrl: instanceUrl,
    basePath: '',
    endpoints: Object.fromEntries(
      Object.entries(ENDPOINTS[kind]).map(([name, endpoint]) => [
        name,
        { ...endpoint, errors: endpoint.errors.filter((code) => code !== NEVER[kind]) },
      ]),
    ),
    envelope: 'flat',
    about: podApiWords,
  });

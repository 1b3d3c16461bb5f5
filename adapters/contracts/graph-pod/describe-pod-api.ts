import { type ApiTexts, type EndpointTable, openApiDocument, type OpenApiDocument } from '../../http/kit';
import { type ErrorCode } from '../../../domain/kernel/errors';
import { GRAPHDB_A_ENDPOINTS, GRAPHDB_B_ENDPOINTS } from './endpoints';
import { type PodSettings } from './settings';

const DESCRIPTION = `
One graph: read-only Cypher, its schema and state, and algorithms. It is reached at the \`instance_url\` of the instance.

* **Answers** are the body itself, or \`{data, …}\` where this says so.
* **Errors** are \`{error: {code, message, details}, meta}\`; a 503, and an unknown resource where this says so, is
  \`{detail}\`. A query that was lost with the database, and was tried again in vain, is a 503 with \`Retry-After\`.
  \`meta.request_id\` is also in the header \`X-Request-ID\`.
* **Values** of a query: dates, times, intervals and UUIDs are text, BLOBs base64; nodes are objects with \`_id\`,
  \`_label\` and their properties, relationships with \`_id\`, \`_type\`, \`_start\`, \`_end\` and theirs, paths arrays of both.
  Integers of 64 bits are exact: read them with a parser that keeps them. NaN and infinities are text.
* **Access** is the owner's choice. Callers without access get the answer for an unknown instance. Callers authenticate as
  at the API; only where names are taken on trust does an instance for everyone answer without. An access token of the
  instance, as bearer or as \`?access_token=\`, says it, too.
* **Algorithms** run one at a time, under the lock of the instance, while queries continue. A start is answered 202; the
  status of the run reports its end. Only the owner, admins and ops start and cancel them.
`.trim();

/** Texts of the description of an instance's API, in addition to its declarations. */
const podApiTexts: ApiTexts = {
  description: DESCRIPTION,
  tags: {
    root: 'What there is',
    'openapi.json': 'This description',
    health: 'Whether the process is alive',
    ready: 'Whether the graph is loaded',
    status: 'State, size and use',
    lock: 'Who runs an algorithm',
    schema: 'Labels, edge types and properties',
    query: 'Cypher, reading only',
    subgraph: 'Cypher, answered as nodes and edges',
    neighbours: 'Neighbours of nodes',
    language: 'Functions, procedures and keywords',
    algo: "The instance's own algorithms, and all runs",
    graphlib: 'The algorithms of the graph library',
  },
  parameters: {
    algorithm_name: 'Name of the algorithm',
    category: 'Only algorithms of this category',
    execution_id: 'Id of the run',
    limit: 'How many runs to list at most; 20 otherwise',
    name: 'Name of the algorithm',
    search: 'Only algorithms with this text in their name or description, in any case',
    status_filter: 'Only runs in this state',
  },
};

type Kind = PodSettings['wrapperType'];

const ENDPOINTS: Readonly<Record<Kind, EndpointTable>> = {
  graphdb_a: GRAPHDB_A_ENDPOINTS,
  graphdb_b: GRAPHDB_B_ENDPOINTS,
};
const NEVER: Readonly<Record<Kind, ErrorCode>> = { graphdb_a: 'GRAPHDB_B_ERROR', graphdb_b: 'GRAPHDB_A_ERROR' };

/** The OpenAPI document of the instances of a kind, with one served at `instanceUrl`. */
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
    about: podApiTexts,
  });

import { type ErrorCode } from '../../../domain/kernel/errors';
import { type ApiTexts, type EndpointTable, type OpenApiDocument, openApiDocument } from '../../http/kit';
import { GRAPHDB_A_ENDPOINTS, GRAPHDB_B_ENDPOINTS } from './endpoints';
import { type PodSettings } from './settings';

const DESCRIPTION = `
One graph: read-only Cypher, its schema and state, and algorithms. It is reached at the \`instance_url\` of the instance.

* **Answers** are the body itself, or \`{data, …}\` for the operations that document it.
* **Errors** are \`{error: {code, message, details}, meta}\`; a 503, and an unknown resource where it is documented, is
  \`{detail}\`. A query that is lost twice with its database process is a 503 with \`Retry-After\`, a 400 if it ran alone. \`meta.request_id\` is also in
  the header \`X-Request-ID\`.
* **Values** of a query: dates, times, intervals and UUIDs are text, BLOBs base64; nodes are objects with \`_id\`,
  \`_label\` and their properties, relationships with \`_id\`, \`_type\`, \`_start\`, \`_end\` and their properties, paths
  arrays of both. Integers of 64 bits are exact: use a parser that does not round them. NaN and infinities are text.
* **Access** is set by the owner. For callers without access the instance does not exist. Callers authenticate as in the
  public API, or by an access token of the instance, as bearer token or as \`?access_token=\`. If the system trusts user
  names, an instance with access for everyone needs no identity.
* **Algorithms** run one at a time, with the lock of the instance, while queries continue. A start returns 202; the
  status of the run reports its end. Only the owner, admins and ops can start and cancel runs.
`.trim();

/** Texts of the description of an instance's API, in addition to its declarations. */
const podApiTexts: ApiTexts = {
  description: DESCRIPTION,
  tags: {
    root: 'Description of this pod',
    'openapi.json': 'This description',
    health: 'Whether the process is alive',
    ready: 'Whether the graph is loaded',
    status: 'State, size and usage',
    lock: 'Lock of the running algorithm',
    schema: 'Labels, edge types and properties',
    query: 'Read-only Cypher',
    subgraph: 'Read-only Cypher that returns nodes and edges',
    neighbours: 'Neighbours of nodes',
    language: 'Functions, procedures and keywords',
    algo: "The instance's own algorithms, and all runs",
    graphlib: 'The algorithms of the graph library',
  },
  parameters: {
    algorithm_name: 'Name of the algorithm',
    category: 'Only algorithms of this category',
    execution_id: 'Id of the run',
    limit: 'Maximum number of runs; default: 20',
    name: 'Name of the algorithm',
    search: 'Only algorithms with this text in name or description, case-insensitive',
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

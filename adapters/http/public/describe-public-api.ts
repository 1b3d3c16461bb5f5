import { EdgeDefinition, NodeDefinition } from '../../../domain/mapping';
import { CauseTree } from '../../../queries/views/why';
import { type ApiTexts, type OpenApiDocument, openApiDocument } from '../kit';
import { publicEndpoints } from './public-endpoints';
import { publicExamples } from './public-examples';

const DESCRIPTION = `
Turns the rows of SQL queries into graphs. A **mapping** defines nodes and edges by SQL; an **instance** is a graph database
loaded from a **snapshot** of a mapping's data, and queried with Cypher at its \`instance_url\`.

* **Answers** are \`{data, meta}\`, errors \`{error: {code, message, details}, meta}\`. \`code\` and \`details\` are for
  programs, the message is for users. \`meta.request_id\` is also in the header \`X-Request-ID\`.
* **Identity**: an API key or a token of the identity provider as bearer, or the username that a trusted proxy sets in
  \`X-Username\`. Requests are checked in this order: identity (401), role (403), body and query (400), existence (404), ownership (403), state and limits (409).
* **Failed logins** are counted per address and key. After too many in a minute the answer is 429 with \`Retry-After\`
  instead of 401. Authenticated callers are never throttled.
* **Access** to an instance is set by its owner. For callers without access, except admins and ops, the instance does not
  exist: reads and writes are 404, lists and counts omit it. Access tokens are valid at an instance's address only.
* **Unknown paths** are 404, known paths with another method 405 \`METHOD_NOT_ALLOWED\` with the header \`Allow\`, both
  in the error envelope.
* **Lists** take \`offset\` and \`limit\` and return the \`total\` in \`meta\`; they are filtered by \`search\`,
  \`created_after\` and \`created_before\`, and sorted by \`sort_by\` and \`sort_order\`. Unknown query
  parameters are 400; unknown body fields are ignored; values are never converted: \`"1"\` is not a number.
* **Pages of events** take \`limit\` and \`cursor\` and return the \`next_cursor\` in \`meta\`, null on the last page; new
  events do not change later pages.
* **Times** are ISO 8601 UTC with milliseconds, **durations** ISO 8601 of weeks, days, hours, minutes and seconds (\`PT4H\`).
* **Read your writes**: the answer to a write comes when reads show it; \`X-Event-Position\` is its position, and a read with
  \`X-Min-Position\` waits for it, on any replica.
* **Repeating** a write with the same \`Idempotency-Key\` returns the first answer and does nothing twice. While the first
  request is in progress, the repeated one waits for its answer, then 503.
`.trim();

/** Texts of the public API's description, in addition to its declarations. */
const publicApiTexts: ApiTexts = {
  description: DESCRIPTION,
  tags: {
    admin: 'Bulk deletion of resources',
    audit: 'All events: who changed what, when and why',
    cluster: 'Health and usage of the whole system',
    config: 'Lifetimes, limits, maintenance and export times, changed at run time',
    'export-jobs': 'The queries that fill snapshots',
    favorites: 'Your bookmarks',
    health: 'Health of the system',
    instances: 'Graph databases, each loaded from a snapshot and queried with Cypher',
    mappings: 'Definitions of nodes and edges, with versions, snapshots and instances',
    ops: 'Background jobs and state, for operators',
    queryengine: 'Catalogs that queries may read, and tools for writing SQL',
    schema: 'Browse and search catalogs, schemas, tables and columns',
    session: 'The session of the console for an API key',
    snapshots: 'The exported data of a mapping version; created by POST /instances',
    users: 'Users and their roles',
  },
  parameters: {
    actor: 'Only events of this user, or of `system:<process>`',
    as_of: 'Answer as at this time, or at this X-Event-Position; absent: now',
    catalog: 'Name of a catalog of the query engine',
    correlation_id: 'Only events of the request with this id',
    created_after: 'Only resources created at this time or later',
    created_before: 'Only resources created at this time or earlier',
    cursor: 'The `next_cursor` of the page before',
    from: 'Only events recorded at this time or later',
    id: 'Id of the resource',
    include: 'Adds the data of the events, from the log',
    include_instances: 'Whether to list the instances of each snapshot; their counts are always included',
    key_id: 'Id of the key',
    limit: 'Maximum number of items in a page',
    offset: 'Number of items to skip',
    owner: 'Only resources of this owner',
    q: 'Prefix of the names, case-insensitive',
    query_name: 'Name of a saved query',
    reader: 'Name of a read model, or `processes`',
    resource_id: 'Id of the resource',
    resource_type: 'Kind of the resource',
    role: 'Only events of actors with this role',
    schema: 'Name of a schema of the catalog',
    search:
      'Only resources with this text in name or description, case-insensitive; `%` and `_` are ordinary characters',
    snapshot_id: 'Only instances of this snapshot',
    sort_by: 'Column to sort by. Default: `created_at`, or the name if the list has none',
    sort_order: 'Sort order. Default: `desc`, the newest or largest first; by names `asc`',
    status: 'Only resources in this state',
    stream_id: 'Id of the stream',
    table: 'Name of a table of the schema',
    to: 'Only events recorded at this time or earlier',
    token_id: 'Id of the access token',
    type: 'Only events of this type',
    username: 'Name of the user',
    v: 'Number of a version',
    v1: 'Number of the earlier version',
    v2: 'Number of the version to compare with',
  },
};

/** The OpenAPI document of the public API, served below `baseUrl`. */
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
    about: publicApiTexts,
    examples: publicExamples,
    schemas: { NodeDefinition, EdgeDefinition, CauseTree },
  });

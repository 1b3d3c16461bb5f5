import { type ApiWords } from '../kit';

const DESCRIPTION = `
Turns the rows of SQL queries into graphs. A **mapping** says with SQL what the nodes and edges are; an **instance** is a
graph database of its own, loaded from a **snapshot** of a mapping's data, and asked with Cypher at its \`instance_url\`.

* **Answers** are \`{data, meta}\`, errors \`{error: {code, message, details}, meta}\`. Programs read \`code\` and
  \`details\`, people the message. \`meta.request_id\` is also in the header \`X-Request-ID\`.
* **Identity**: as bearer an API key, or a token of the identity provider where there is one; or the name the trusted edge
  puts in \`X-Username\`. What is asked is checked in
  this order: identity (401), role (403), body and query (400), existence (404), ownership (403), state and limits (409).
* **Refused** calls are counted by address and key: after too many within a minute they are 429 with \`Retry-After\`, not 401.
  Whoever is let in is never held up.
* **Access** to an instance is its owner's choice. For who has none, admins and ops apart, the instance does not exist:
  reads and writes are 404, lists and counts leave it out. Access tokens are for an instance at its address, not for this API.
* **Unknown paths** are 404, known paths with another method 405 \`METHOD_NOT_ALLOWED\` with the header \`Allow\`, both
  in the error envelope.
* **Lists** take \`offset\` and \`limit\` and tell the \`total\` in \`meta\`; they are filtered by \`search\`,
  \`created_after\` and \`created_before\`, and sorted by \`sort_by\` and \`sort_order\`. A query parameter that an operation does
  not have is 400 and named; unknown body fields are ignored; values are never converted: \`"1"\` is not a number.
* **Times** are ISO 8601 UTC with milliseconds, **durations** ISO 8601 of weeks, days, hours, minutes and seconds (\`PT4H\`).
* **Read your writes**: the answer to a write comes when reads show it; \`X-Event-Position\` tells the position, and a read
  with \`X-Min-Position\` waits for it, on any replica.
* **Repeating** a write under the same \`Idempotency-Key\` gives the first answer again and does nothing twice. While the
  first request is under way, also of a client that is gone, the repeated one waits for its answer, then 503.
`.trim();

/** What the description of the public API says to people beyond its declarations. */
export const publicApiWords: ApiWords = {
  description: DESCRIPTION,
  tags: {
    admin: 'Deleting many resources at once',
    'api-keys': 'Keys with which programs call as a user',
    cluster: 'Health and use of the whole system',
    config: 'Life spans, limits, maintenance and export times, changed while the system runs',
    'export-jobs': 'The queries that fill snapshots',
    favorites: 'Bookmarks of your own',
    health: 'Whether the system is well',
    instances: 'Graph databases, each loaded from a snapshot and asked with Cypher',
    mappings: 'What the nodes and edges of a graph are, version by version, and what was made of it',
    ops: 'Background jobs and state, for those who run the system',
    queryengine: 'What there is to query, and tools for writing SQL',
    schema: 'Search in the catalogs, schemas, tables and columns there are',
    snapshots: 'The exported data of a mapping version; made by POST /instances',
    users: 'Who may use the system, and in which role',
  },
  parameters: {
    catalog: 'Name of a catalog of the query engine',
    created_after: 'Only what was created at this time or later',
    created_before: 'Only what was created at this time or earlier',
    id: 'Id of the resource',
    include_instances: 'Whether to list the instances of each snapshot; the counts stay',
    key_id: 'Id of the key',
    limit: 'How many items a page has at most',
    offset: 'How many items to skip',
    owner: 'Only what this user owns',
    q: 'How the names looked for begin, in any case',
    reader: 'Name of a read model, or `processes`',
    resource_id: 'Id of the resource',
    resource_type: 'Kind of the resource',
    schema: 'Name of a schema of the catalog',
    search: 'Only what has this text in its names and descriptions, in any case; `%` and `_` are ordinary characters',
    snapshot_id: 'Only what was made from this snapshot',
    sort_by: 'What to sort by; otherwise by `created_at`, or in the order of names where there is no such time',
    sort_order: 'Direction of the order; otherwise `desc`, the newest or largest first, and by names `asc`',
    status: 'Only what is in this state',
    stream_id: 'Id of the stream that is held back',
    table: 'Name of a table of the schema',
    token_id: 'Id of the access token',
    username: 'Name of the user',
    v: 'Number of a version',
    v1: 'Number of the earlier version',
    v2: 'Number of the version to compare with',
  },
};

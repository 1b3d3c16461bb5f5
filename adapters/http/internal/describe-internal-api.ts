import { type ApiTexts, openApiDocument, type OpenApiDocument } from '../kit';
import { exportJobEndpoints } from './export-job/endpoints';
import { instanceEndpoints } from './instance/endpoints';
import { snapshotEndpoints } from './snapshot/endpoints';

/** The OpenAPI document of the internal API, served below `baseUrl`. */
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
    envelope: 'internal',
    about: internalApiTexts,
  });

export const internalEndpoints = { ...exportJobEndpoints, ...snapshotEndpoints, ...instanceEndpoints };

const DESCRIPTION = `
The API between the control plane, export workers and instance pods. It is served on its own port, inside the cluster,
and may change with every version.

* **Identity**: a service token as bearer; \`X-Component\` repeats what it is for, \`worker\` or \`wrapper\` (a pod). A pod
  speaks for its own instance only.
* **Answers** are \`{data, meta}\`, errors \`{error: {code, message, details}, meta}\`, as those of the public API.
* **Read your writes**: the answer to a write comes when reads show it, after 2 s at the latest, then marked
  \`X-Consistency: pending\`. \`X-Event-Position\` is the position of every answer, and a read with
  \`X-Min-Position\` waits for it.
`.trim();

/** Texts of the internal API's description, in addition to its declarations. */
export const internalApiTexts: ApiTexts = {
  description: DESCRIPTION,
  tags: {
    'export-jobs': 'The queries that fill snapshots: claimed, polled and reported by workers',
    instances: 'What pods report of themselves, and what they have to load',
    snapshots: 'How an export goes, and the jobs a submitter outside names',
  },
  parameters: {
    after: 'Number of files to skip: `next` of the page before',
    id: 'Id of the resource',
    ids: 'Ids of up to a hundred jobs, with commas between them',
    limit: 'How many jobs to take at most; 10 otherwise',
    job_type: 'Whether the definition is one of nodes or of edges',
    name: 'Label or edge type of the definition',
    slug: 'Last part of the instance URL',
    status: 'Only jobs in this state; `running` means `submitted`',
  },
};

import { type ApiTexts, type OpenApiDocument, openApiDocument } from '../kit';
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

* **Identity**: a service token as bearer; \`X-Component\` is its component, \`worker\` or \`wrapper\` (a pod). The token of a
  pod is valid for its own instance only.
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
    instances: 'Reports of pods, and the mappings and files that they load',
    snapshots: 'Progress of exports, and the export jobs of an external submitter',
  },
  parameters: {
    after: 'Number of files to skip: `next` of the previous page',
    id: 'Id of the resource',
    ids: 'Ids of up to 100 jobs, separated by commas',
    limit: 'Maximum number of jobs; default: 10',
    job_type: 'Kind of the definition: nodes or edges',
    name: 'Label or edge type of the definition',
    slug: 'Last part of the instance URL',
    status: 'Only jobs in this state; `running` means `submitted`',
  },
};

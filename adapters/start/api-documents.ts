import { describePodApi } from '../contracts/graph-pod/describe-pod-api';
import { describeInternalApi } from '../http/internal/describe-internal-api';
import { type OpenApiDocument } from '../http/kit';
import { describePublicApi } from '../http/public/describe-public-api';
import { packageVersion as version } from '../system/package-root';

const pod = (kind: 'graphdb_a' | 'graphdb_b') =>
  describePodApi(kind, { version, instanceUrl: 'http://localhost:8080/graphs/slug-of-the-instance' });

/** The OpenAPI documents of all APIs on the default ports, by their file name in docs/. */
export const apiDocuments: Readonly<Record<string, OpenApiDocument>> = {
  'openapi.json': describePublicApi({ version, baseUrl: 'http://localhost:8080' }),
  'openapi-internal.json': describeInternalApi({ version, baseUrl: 'http://localhost:8081' }),
  'openapi-pod-a.json': pod('graphdb_a'),
  'openapi-pod-b.json': pod('graphdb_b'),
};

import { accessTokenEndpoints } from './access-token/endpoints';
import { adminEndpoints } from './admin/endpoints';
import { apiKeyEndpoints } from './api-key/endpoints';
import { auditEndpoints } from './audit/endpoints';
import { clusterEndpoints } from './cluster/endpoints';
import { configEndpoints } from './config/endpoints';
import { favoriteEndpoints } from './favorite/endpoints';
import { instanceChangeEndpoints, instanceEndpoints } from './instance/endpoints';
import { mappingEndpoints, mappingHistoryEndpoints } from './mapping/endpoints';
import { opsEndpoints } from './ops/endpoints';
import { queryEngineEndpoints } from './query-engine/endpoints';
import { savedQueryEndpoints } from './saved-query/endpoints';
import { schemaEndpoints } from './schema/endpoints';
import { sessionEndpoints } from './session/endpoints';
import { snapshotEndpoints } from './snapshot/endpoints';
import { userEndpoints } from './user/endpoints';

/** The operations on resources, whose reads a time machine answers as well. */
export const resourceEndpoints = {
  ...userEndpoints,
  ...mappingEndpoints,
  ...mappingHistoryEndpoints,
  ...snapshotEndpoints,
  ...instanceChangeEndpoints,
  ...instanceEndpoints,
  ...favoriteEndpoints,
  ...savedQueryEndpoints,
  ...configEndpoints,
  ...auditEndpoints,
};

export const publicEndpoints = {
  ...resourceEndpoints,
  ...apiKeyEndpoints,
  ...sessionEndpoints,
  ...accessTokenEndpoints,
  ...opsEndpoints,
  ...schemaEndpoints,
  ...queryEngineEndpoints,
  ...clusterEndpoints,
  ...adminEndpoints,
};

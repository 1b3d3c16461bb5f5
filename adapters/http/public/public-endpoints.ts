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

export const publicEndpoints = {
  ...userEndpoints,
  ...apiKeyEndpoints,
  ...sessionEndpoints,
  ...mappingEndpoints,
  ...mappingHistoryEndpoints,
  ...snapshotEndpoints,
  ...instanceChangeEndpoints,
  ...instanceEndpoints,
  ...accessTokenEndpoints,
  ...opsEndpoints,
  ...favoriteEndpoints,
  ...savedQueryEndpoints,
  ...configEndpoints,
  ...schemaEndpoints,
  ...queryEngineEndpoints,
  ...auditEndpoints,
  ...clusterEndpoints,
  ...adminEndpoints,
};

import { type OperationExamples } from '../kit';
import { adminExamples } from './admin/examples';
import { apiKeyExamples } from './api-key/examples';
import { clusterExamples } from './cluster/examples';
import { configExamples } from './config/examples';
import { exportJobExamples } from './export-job/examples';
import { favoriteExamples } from './favorite/examples';
import { healthExamples } from './health/examples';
import { instanceExamples } from './instance/examples';
import { instanceChangeExamples } from './instance/change-examples';
import { mappingExamples } from './mapping/examples';
import { mappingHistoryExamples } from './mapping/history-examples';
import { opsExamples } from './ops/examples';
import { parkedEventExamples } from './parked-event/examples';
import { queryEngineExamples } from './query-engine/examples';
import { schemaExamples } from './schema/examples';
import { snapshotExamples } from './snapshot/examples';
import { userExamples } from './user/examples';

/** Requests and answers of the public API; each operation has one that succeeds at least. */
export const publicExamples: OperationExamples = {
  ...adminExamples,
  ...apiKeyExamples,
  ...clusterExamples,
  ...configExamples,
  ...exportJobExamples,
  ...favoriteExamples,
  ...healthExamples,
  ...instanceExamples,
  ...instanceChangeExamples,
  ...mappingExamples,
  ...mappingHistoryExamples,
  ...opsExamples,
  ...parkedEventExamples,
  ...queryEngineExamples,
  ...schemaExamples,
  ...snapshotExamples,
  ...userExamples,
};

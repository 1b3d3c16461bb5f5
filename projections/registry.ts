import { accessTokensProjection } from './access-tokens';
import { apiKeysProjection } from './api-keys';
import { configProjection } from './config';
import { exportJobsProjection } from './export-jobs';
import { favoritesProjection } from './favorites';
import { givenIdsProjection } from './given-ids';
import { instancesProjection } from './instances';
import { jobsProjection } from './jobs';
import { mappingsProjection } from './mappings';
import { processWorkProjection } from './process-work';
import { type Projection } from './projection';
import { savedQueriesProjection } from './saved-queries';
import { snapshotsProjection } from './snapshots';
import { usersProjection } from './users';

/** Every projection the runner drives. */
export const projections: readonly Projection[] = [
  usersProjection,
  apiKeysProjection,
  accessTokensProjection,
  configProjection,
  favoritesProjection,
  savedQueriesProjection,
  mappingsProjection,
  snapshotsProjection,
  exportJobsProjection,
  instancesProjection,
  jobsProjection,
  processWorkProjection,
  givenIdsProjection,
];

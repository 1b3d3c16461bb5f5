import { auditTrailProjection } from './audit-trail';
import { configProjection } from './config';
import { accessTokensProjection, apiKeysProjection } from './credentials';
import { exportJobsProjection } from './export-jobs';
import { favoritesProjection } from './favorites';
import { givenIdsProjection } from './given-ids';
import { instancesProjection } from './instances';
import { jobsProjection } from './jobs';
import { mappingsProjection } from './mappings';
import { processWorkProjection } from './process-work';
import { type Projection } from './projection';
import { readSchemaOf } from './projection-tables';
import { savedQueriesProjection } from './saved-queries';
import { sealsProjection } from './seals';
import { snapshotsProjection } from './snapshots';
import { usersProjection } from './users';

/** All projections. The one with most rows is first: a replay computes the others while the database writes it. */
export const projections: readonly Projection[] = [
  auditTrailProjection,
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
  sealsProjection,
];

/** The search path of read connections: the tables of the projection versions of this program, and the telemetry. */
export const READ_PATH: readonly string[] = [
  ...projections.filter(({ exposes }) => exposes.length > 0).map(readSchemaOf),
  'telemetry',
];

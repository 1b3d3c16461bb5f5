import { exportJobEndpoints } from './export-job/endpoints';
import { instanceEndpoints } from './instance/endpoints';
import { snapshotEndpoints } from './snapshot/endpoints';

/** Every operation of the internal API. */
export const internalEndpoints = { ...exportJobEndpoints, ...snapshotEndpoints, ...instanceEndpoints };

import { isLeft } from 'fp-ts/Either';
import { startProgram } from '../../adapters/local-process/start-program';
import { type LaunchedProcess } from '../../adapters/system/launch-process';
import { programPath } from '../../adapters/system/package-root';
import { freePort } from './free-port';
import { type RunningSystem, TIMEOUT_MS } from './running-system';
import { waitFor } from './wait-for';

/** Starts the program of the only pod that a system without a pod runtime needs, as its operators do. */
export const startPodElsewhere = async (system: RunningSystem, folder: string): Promise<LaunchedProcess> => {
  const wantedPods = async () => (await system.as('olivia').call('listPodsToRun')).data;
  await waitFor('a pod is requested', async () => (await wantedPods()).length === 1, TIMEOUT_MS);
  const [wanted] = await wantedPods();
  if (wanted === undefined) throw new Error('No pod is wanted any more.');
  const port = await freePort();
  const started = startProgram({
    programPath: programPath('pod/graph/main'),
    environment: {
      ROWGRAPH_POD_INSTANCE_ID: String(wanted.instance_id),
      ROWGRAPH_POD_SLUG: wanted.url_slug,
      ROWGRAPH_POD_OWNER: wanted.owner_username,
      ROWGRAPH_POD_WRAPPER_TYPE: wanted.wrapper_type,
      ROWGRAPH_POD_MEMORY_BYTES: String(wanted.memory_bytes),
      ROWGRAPH_POD_CPU_CORES: String(wanted.cpu_cores),
      ROWGRAPH_POD_TOKEN: wanted.token,
      ROWGRAPH_POD_CONTROL_PLANE_URL: `http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}`,
      ROWGRAPH_POD_INSTANCE_URL: `http://127.0.0.1:${port}`,
      ROWGRAPH_POD_PORT: String(port),
      ROWGRAPH_POD_DATA_DIR: folder,
    },
    onLine: () => undefined,
  });
  if (isLeft(started)) throw new Error(started.left.reason);
  return started.right;
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LaunchedProcess } from '../../../adapters/system/launch-process';
import { ask, createInstance, createMapping, deleteInstance, untilRunning } from '../../support/instances';
import { startPodElsewhere } from '../../support/pod-elsewhere';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of system-without-pods.test.ts. */
export const podsElsewhere = (shared: () => RunningSystem): void => {
  let folder: string;
  let pod: LaunchedProcess | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowgraph-pod-'));
  });
  afterAll(async () => {
    await pod?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('are run from the data in GET /ops/pods, until they are not listed any more', async () => {
    const system = shared();
    const [ada, olivia] = [system.as('ada'), system.as('olivia')];
    const toRun = async () => (await olivia.call('listPodsToRun')).data;
    const id = await createInstance(ada, await createMapping(ada, townMapping));
    await waitFor('a pod is requested', async () => (await toRun()).length === 1, TIMEOUT_MS);
    const [wanted] = await toRun();
    expect(wanted).toMatchObject({ instance_id: id, owner_username: 'ada', status: 'starting', cpu_cores: 2 });

    pod = await startPodElsewhere(system, folder);
    const { instance_url } = await untilRunning(ada, id);
    expect(await ask(ada, instance_url, 'MATCH (p:Person) RETURN count(*)')).toEqual([[100]]);
    expect(await toRun()).toMatchObject([{ instance_id: id, status: 'running' }]);

    await deleteInstance(ada, id);
    await waitFor('no pod is requested', async () => (await toRun()).length === 0, TIMEOUT_MS);
  });
};

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSampleGraph } from '../../../contracts/graph-engine/sample-graph';
import { waitFor } from '../../../support/wait-for';
import { type ControlPlaneServer, startControlPlane } from './control-plane-server';
import { scratchDirectory } from './loaded-engine';
import { type PodProcess, startPod } from './pod-process';

/** A pod that has loaded the sample graph, with a control plane of its own. */
export interface RunningPod {
  readonly pod: PodProcess;
  readonly controlPlane: ControlPlaneServer;
  /** Writes a file of its control group, such as `memory.max`. */
  readonly writeLimit: (name: string, text: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openRunningPod = async (kind: 'graphdb_a' | 'graphdb_b', memoryBytes?: number): Promise<RunningPod> => {
  const sample = await createSampleGraph();
  const controlPlane = await startControlPlane(sample.mapping, sample.snapshot);
  const directory = await scratchDirectory();
  const pod = await startPod(controlPlane, directory, kind, memoryBytes);
  await waitFor('the pod reports running', () => controlPlane.statuses().some(({ status }) => status === 'running'));
  const close = async (): Promise<void> => {
    pod.child.kill('SIGKILL');
    await pod.ended;
    await controlPlane.close();
    await sample.snapshot.remove();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  const writeLimit = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  return { pod, controlPlane, writeLimit, close };
};

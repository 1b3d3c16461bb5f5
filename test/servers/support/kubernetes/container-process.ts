import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { startProgram } from '../../../../adapters/local-process/start-program';
import { type LaunchedProcess, launchProcess } from '../../../../adapters/system/launch-process';
import { programPath } from '../../../../adapters/system/package-root';
import { type PodObject } from './kube-objects';
import { containerOf, type PodFolder } from './pod-folder';

/** The program of a container, as far as a kubelet needs it. */
export type RunningContainer = Pick<LaunchedProcess, 'pid' | 'exited' | 'terminated' | 'stop' | 'kill'>;

export type StartContainer = (
  pod: PodObject,
  podIp: string,
  folder: PodFolder,
  onLine: (line: string) => void,
) => RunningContainer;

const OWN_ADDRESS = join(__dirname, 'own-address.cjs');
const READ_ONLY = '/no/such/folder';

/** The programs of images by image name; other images start that of instances. */
const PROGRAMS: readonly (readonly [image: RegExp, program: string])[] = [
  [/control-plane/, 'adapters/start/start'],
  [/worker/, 'pod/export-worker/main'],
  [/./, 'pod/graph/main'],
];

/** Starts the program of the pod's image, or `node` with the arguments of the container's command. */
export const startContainer: StartContainer = (pod, podIp, folder, onLine) => {
  const { image = '', command = [], workingDir = '/sys/fs/cgroup' } = containerOf(pod);
  const launch = {
    // The root file system of a container is read-only, and a container has its own network.
    environment: {
      ...{ TMPDIR: READ_ONLY, HOME: READ_ONLY, POD_IP: podIp, NODE_OPTIONS: `--require ${OWN_ADDRESS}` },
      ...folder.environment,
    },
    workingDirectory: folder.pathOf(workingDir),
    onLine,
  };
  const [, program = ''] = PROGRAMS.find(([name]) => name.test(image)) ?? [];
  const started =
    command[1] === '-e'
      ? launchProcess({ ...launch, command: [process.execPath, ...command.slice(1)] })
      : startProgram({ ...launch, programPath: programPath(program), args: command.slice(2) });
  if (isLeft(started)) throw new Error(started.left.reason);
  return started.right;
};

import { type Container, type ContainerState, type PodObject } from './kube-objects';
import { containerOf } from './pod-folder';

/**
 * The containers of a pod beside that of its program, such as a policy of the cluster adds. They run nothing: each is in
 * the state that its image names, or that a test sets.
 */
export class OtherContainers {
  private readonly states = new Map<string, ContainerState>();

  setState(name: string, state: ContainerState): void {
    this.states.set(name, state);
  }

  /** Whether all containers that must come before the program have ended well, or run as native sidecars. */
  letStart(pod: PodObject): boolean {
    return initContainersOf(pod).every((container) => this.isReady(container, true));
  }

  areReady(pod: PodObject): boolean {
    const natives = initContainersOf(pod).filter(isNative);
    return othersOf(pod).every((other) => this.isReady(other)) && natives.every((native) => this.isReady(native, true));
  }

  statuses(pod: PodObject): readonly object[] {
    return othersOf(pod).map((container) => this.statusOf(container));
  }

  initStatuses(pod: PodObject): readonly object[] {
    return initContainersOf(pod).map((container) => this.statusOf(container, true));
  }

  /** The phase that a kubelet derives from all containers; nothing restarts. */
  phaseWith(program: ContainerState, pod: PodObject): string {
    const states = [program, ...othersOf(pod).map((container) => this.stateOf(container))];
    const failedInit = initContainersOf(pod).find(
      (container) => !isNative(container) && hasFailed(this.stateOf(container, true)),
    );
    if (failedInit !== undefined) return 'Failed';
    if (states.some(({ waiting }) => waiting !== undefined)) return 'Pending';
    if (states.some(({ running }) => running !== undefined)) return 'Running';
    return states.some(hasFailed) ? 'Failed' : 'Succeeded';
  }

  private statusOf(container: Container, isInit = false): object {
    const { name, image } = container;
    const [state, ready] = [this.stateOf(container, isInit), this.isReady(container, isInit)];
    return { name, image, imageID: '', ready, started: state.running !== undefined, restartCount: 0, state };
  }

  private isReady(container: Container, isInit = false): boolean {
    const { running, terminated } = this.stateOf(container, isInit);
    return isInit && !isNative(container) ? terminated?.exitCode === 0 : running !== undefined;
  }

  private stateOf(container: Container, isInit = false): ContainerState {
    const state = this.states.get(container.name);
    if (state !== undefined) return state;
    if (container.image?.includes('no-such-image') === true)
      return { waiting: { reason: 'ImagePullBackOff', message: 'failed to resolve reference: not found' } };
    if (container.image?.includes('fails') === true) return { terminated: { exitCode: 1, reason: 'Error' } };
    return isInit && !isNative(container) ? { terminated: { exitCode: 0, reason: 'Completed' } } : { running: {} };
  }
}

const initContainersOf = ({ spec }: PodObject): readonly Container[] => spec?.initContainers ?? [];

const othersOf = (pod: PodObject): readonly Container[] => {
  const program = containerOf(pod).name;
  return (pod.spec?.containers ?? []).filter(({ name }) => name !== program);
};

const isNative = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

const hasFailed = ({ terminated }: ContainerState): boolean => terminated !== undefined && terminated.exitCode !== 0;

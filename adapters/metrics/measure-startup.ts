import { isLeft } from 'fp-ts/Either';
import { instanceStream } from '../../domain/instance';
import { type EventStore } from '../../domain/ports/event-store';
import { type Metrics } from './metrics';

/**
 * Measures the start of an instance that has just reported `running`, by its events. `loadingSeconds` is what the pod
 * reports. The first start also has the phases `snapshot` and `total`.
 */
export const measureStartup =
  (store: EventStore, { startupSeconds }: Pick<Metrics, 'startupSeconds'>) =>
  async (instanceId: number, loadingSeconds = 0): Promise<void> => {
    const read = await store.readStream(instanceStream(instanceId));
    if (isLeft(read)) return;
    const secondsAt = (...types: readonly string[]): number =>
      Date.parse(read.right.findLast(({ type }) => types.includes(type))?.metadata.occurredAt ?? '') / 1000;
    const running = secondsAt('InstanceRunning');
    const ordered = secondsAt('InstanceStarting', 'InstanceRestarting');
    const isFirst = !read.right.some(({ type }) => type === 'InstanceRestarting');
    const requested = secondsAt('InstanceRequested');
    const phases = {
      ...(isFirst && { snapshot: ordered - requested, total: running - requested }),
      pod: running - ordered - loadingSeconds,
      load: loadingSeconds,
    };
    for (const [phase, seconds] of Object.entries(phases)) {
      if (seconds >= 0) startupSeconds.observe({ phase }, seconds);
    }
  };

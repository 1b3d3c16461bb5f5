import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type InstanceEvent, instanceEvents, instanceStream } from '../domain/instance';
import { type DomainError, domainError, notFound } from '../domain/kernel/errors';
import { type StoredEvent } from '../domain/kernel/event';
import { decodeEvent } from '../domain/kernel/event-catalogue';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { type ListQuery, type Page, type PageBounds, pageOfRows } from './kit/list';
import { type InstanceEventView } from './views/instance';

type Change = DistributiveOmit<InstanceEventView, 'id' | 'created_at'>;
type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

/** The resource changes of an instance, newest first by default, read from its stream. */
export const listInstanceEvents = async (
  store: Pick<EventStore, 'readStream'>,
  instanceId: number,
  { sort_by = 'id', sort_order = 'desc', ...filters }: ListQuery,
  page: PageBounds,
): Promise<
  Either<DomainError<'RESOURCE_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>, Page<InstanceEventView>>
> => {
  const read = await store.readStream(instanceStream(instanceId), { direction: 'backwards' });
  if (isLeft(read)) return left(readFailed(read.left));
  const newest = read.right[0];
  if (newest === undefined || newest.type === 'InstanceDeleted') return left(notFound('instance', instanceId));
  const views: InstanceEventView[] = [];
  for (const stored of read.right) {
    const event = decodeEvent(instanceEvents, stored);
    if (isLeft(event)) return left(domainError('INTERNAL_ERROR', event.left.message));
    const change = changeOf(event.right);
    if (change !== null) views.push({ id: stored.revision, ...change, created_at: stored.metadata.occurredAt });
  }
  const order = { sort_by: sort_by === 'created_at' ? 'id' : sort_by, sort_order };
  return right(
    pageOfRows(views, { ...filters, ...order }, page, {
      searched: (row) => [row.event_type],
      createdAt: (row) => row.created_at,
    }),
  );
};

const changeOf = (event: StoredEvent<InstanceEvent>): Change | null => {
  if (event.type === 'InstanceCpuUpdated') {
    const { oldCpuCores, newCpuCores } = event.data;
    return { event_type: 'cpu_updated', details: { old_cpu_cores: oldCpuCores, new_cpu_cores: newCpuCores } };
  }
  if (event.type === 'InstanceMemoryUpgraded') {
    const { oldMemoryBytes, newMemoryBytes, reason } = event.data;
    const details = { old_memory_bytes: oldMemoryBytes, new_memory_bytes: newMemoryBytes, reason };
    return { event_type: 'memory_upgraded', details };
  }
  if (event.type === 'InstanceOomRecovered') {
    const { oldMemoryBytes, newMemoryBytes } = event.data;
    const details = { old_memory_bytes: oldMemoryBytes, new_memory_bytes: newMemoryBytes };
    return { event_type: 'oom_recovered', details };
  }
  if (event.type === 'InstanceResizeFailed') {
    const { memoryBytes, cpuCores, errorMessage } = event.data;
    const details = { memory_bytes: memoryBytes, cpu_cores: cpuCores, error_message: errorMessage };
    return { event_type: 'resize_failed', details };
  }
  return null;
};

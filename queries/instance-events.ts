import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type InstanceEvent, instanceEvents, instanceStream } from '../domain/instance';
import { type DomainError, domainError, notFound } from '../domain/kernel/errors';
import { type StoredEvent } from '../domain/kernel/event';
import { decodeEvent } from '../domain/kernel/event-catalogue';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import { type ReadDatabase } from './kit/database';
import { filterList, type ListQuery, type Page, type PageBounds, readPage, sorted } from './kit/list';
import { type InstanceEventView } from './views/instance';

type Change = DistributiveOmit<InstanceEventView, 'id' | 'created_at'>;
type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

type Failure = DomainError<'RESOURCE_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>;

/** The resource changes of an instance, newest first, read from its stream. */
export const readInstanceEvents = async (
  store: Pick<EventStore, 'readStream'>,
  instanceId: number,
): Promise<Either<Failure, readonly InstanceEventView[]>> => {
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
  return right(views);
};

/** A page of them, newest first by default. */
export const listInstanceEvents = async (
  db: ReadDatabase,
  events: readonly InstanceEventView[],
  filters: ListQuery,
  page: PageBounds,
): Promise<Page<InstanceEventView>> => {
  const columns = '(id bigint, event_type text, created_at timestamptz)';
  const rows = db.from(db.raw(`jsonb_to_recordset(?) AS changes${columns}`, [JSON.stringify(events)]));
  filterList(rows, filters, ['event_type']);
  const { items, total } = await readPage(sorted(rows, filters), page, t.strict({ id: t.number }));
  return { items: items.flatMap(({ id }) => events.filter((event) => event.id === id)), total };
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

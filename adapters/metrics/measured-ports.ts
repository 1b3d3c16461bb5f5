import { type RequestListener } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Pool } from 'pg';
import { type CommandPorts } from '../../commands/kit/command-context';
import { exportJobEvents } from '../../domain/export-job';
import { instanceStream } from '../../domain/instance';
import { type NewEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { type CatchUp } from '../../projections/catch-up';
import { type ReadDatabase } from '../../queries/kit/database';
import { currentTraceparent, inSpan } from '../system/tracing';
import { type Metrics, type PoolUse } from './metrics';

/** Counts and times the appends of a store by the category of their stream, and adds them to their trace. */
export const measuredEventStore = (store: EventStore, metrics: Metrics): EventStore => ({
  ...store,
  append: (streamId, expected, events) => {
    const stream = kindOf(streamId);
    return inSpan(`append ${events[0]?.type}`, { attributes: { 'rowgraph.stream': stream } }, async () => {
      const stopTimer = metrics.appendSeconds.startTimer({ stream });
      const result = await store.append(streamId, expected, inTrace(events, currentTraceparent()));
      stopTimer();
      metrics.appends.inc({ stream, outcome: isLeft(result) ? result.left.kind : 'written' });
      if (!isLeft(result)) events.forEach((event) => countEvent(event, metrics));
      return result;
    });
  },
});

const kindOf = (streamId: string): string => streamId.split('-')[0] ?? streamId;

const inTrace = (events: readonly NewEvent[], traceparent: string | undefined): readonly NewEvent[] =>
  traceparent === undefined
    ? events
    : events.map((event) => ({ ...event, metadata: { ...event.metadata, traceparent } }));

const countEvent = ({ type, data }: NewEvent, metrics: Metrics): void => {
  metrics.events.inc({ type });
  if (type === 'ExportJobCompleted') metrics.exports.inc({ outcome: 'completed' });
  if (type === 'ExportJobLeaseExpired') metrics.exports.inc({ outcome: 'repeated' });
  const failed = exportJobEvents.ExportJobFailed.codec.decode(data);
  if (type === 'ExportJobFailed' && !isLeft(failed)) metrics.exports.inc({ outcome: failed.right.errorCode });
};

/**
 * Counts commands by their outcome, and makes every step a span: of the current trace, or of the event that caused it.
 */
export const observeSteps =
  (metrics: Metrics): NonNullable<CommandPorts['observe']> =>
  ({ kind, name, traceparent }, run) =>
    inSpan(`${kind} ${kindOf(name)}`, { parent: traceparent }, async () => {
      const result = await run();
      if (kind === 'command')
        metrics.commands.inc({ type: name, outcome: Refused.is(result) ? result.left.code : 'done' });
      return result;
    });

const Refused = t.type({ _tag: t.literal('Left'), left: t.type({ code: t.string }) });

/** Times how long each request waits for the read models. */
export const measuredCatchUp = (catchUp: CatchUp, metrics: Metrics): CatchUp => ({
  ...catchUp,
  waitFor: async (position, timeoutMs) => {
    const stopTimer = metrics.catchUpSeconds.startTimer();
    const isReached = await catchUp.waitFor(position, timeoutMs);
    stopTimer();
    return isReached;
  },
});

/** Counts and times the responses of an API. */
export const measureRequests =
  (api: 'public' | 'internal', app: RequestListener, metrics: Metrics): RequestListener =>
  (request, response) => {
    const method = request.method ?? '';
    const stopTimer = metrics.requestSeconds.startTimer({ api, method });
    response.once('finish', () => {
      stopTimer();
      metrics.requests.inc({ api, method, status: response.statusCode });
    });
    app(request, response);
  };

/**
 * Measures the start of an instance that has just reported `running`, from its events. `loadingSeconds` is reported by
 * the pod. The first start also has the phases `snapshot` and `total`.
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

export const poolUse = (
  pool: string,
  { totalCount, idleCount, waitingCount }: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): PoolUse => ({ pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount });

const items = t.array(t.unknown);
const ReadPool = t.type({ pool: t.type({ used: items, free: items, pendingAcquires: items }) });

/** knex does not declare the type of its pool; missing fields count as unused. */
export const readPoolUse = ({ client }: ReadDatabase): PoolUse => {
  const { used, free, pendingAcquires } = ReadPool.is(client)
    ? client.pool
    : { used: [], free: [], pendingAcquires: [] };
  return { pool: 'reads', busy: used.length, idle: free.length, waiting: pendingAcquires.length };
};

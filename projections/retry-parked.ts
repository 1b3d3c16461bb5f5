import { isLeft } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { type Position } from '../domain/kernel/event';
import { type EventStore } from '../domain/ports/event-store';
import { type Retried } from '../domain/ports/parked-events';
import { readFeedEvent, tryEvent } from './apply-events';
import { parkedOf, type ParkingPlace, type ParkedRow, recordFailure, removeParked } from './parked-events';
import { type Projection } from './projection';
import { inTransaction, loadCheckpoint, useSchema } from './projection-tables';

/** Events per transaction: the runner waits for it. */
const CHUNK = 200;

/**
 * Applies what is parked of a stream in order, after taking out the first event when it is the one to skip. Stops at
 * one that fails: that and the later ones stay parked. When all are applied the stream is held back no longer. The
 * runner waits meanwhile for the checkpoint's lock, so it can neither overtake nor park behind nothing.
 */
export const retryParked = async (
  pool: Pool,
  store: EventStore,
  projection: Projection,
  streamId: string,
  skip: Position | null,
): Promise<Retried> => {
  let applied = 0;
  for (;;) {
    const step = await inTransaction(pool, async (client): Promise<Step> => {
      const checkpoint = await loadCheckpoint(client, projection, 'FOR UPDATE');
      if (checkpoint === null) return { applied: 0, rest: 0, error: null };
      const place = { projection, epoch: checkpoint.epoch };
      const rows = await parkedOf(client, place, streamId, CHUNK);
      if (rows.length === 0) return { applied: 0, rest: 0, error: null };
      const skips = rows[0]?.position === skip;
      if (skips) await removeParked(client, place, streamId, skip);
      await countRepair(client, projection);
      await useSchema(client, projection, place.epoch);
      return applyRows(client, store, place, streamId, skips ? rows.slice(1) : rows);
    });
    applied += step.applied;
    if (step.error !== null || step.rest === 0) return { applied, error: step.error };
  }
};

interface Step {
  readonly applied: number;
  /** Of how many rows it was told. */
  readonly rest: number;
  readonly error: string | null;
}

const applyRows = async (
  client: PoolClient,
  store: EventStore,
  place: ParkingPlace,
  streamId: string,
  rows: readonly ParkedRow[],
): Promise<Step> => {
  const rest = rows.length;
  const fromRevision = rows[0]?.revision ?? 0;
  const limit = (rows.at(-1)?.revision ?? 0) - fromRevision + 1;
  const read = await store.readStream(streamId, { fromRevision, limit });
  if (isLeft(read))
    throw new Error(`${streamId} could not be read: ${read.left.kind}. Nothing was changed; try again.`);
  const events = new Map(read.right.map((event) => [event.position, event]));
  let applied = 0;
  for (const { position } of rows) {
    const event = events.get(position);
    if (event === undefined) throw new Error(`The log has no event at position ${position} of ${streamId}.`);
    const outcome = await tryEvent(client, place.projection, readFeedEvent(event));
    if (isLeft(outcome)) {
      await recordFailure(client, place, streamId, position, outcome.left);
      return { applied, rest, error: outcome.left };
    }
    await removeParked(client, place, streamId, position);
    applied += 1;
  }
  return { applied, rest, error: null };
};

/** Rows change although the position stands still; what is remembered of the read model is out of date. */
const countRepair = async (client: PoolClient, { name, version }: Projection): Promise<void> => {
  await client.query('UPDATE es.subscriptions SET repairs = repairs + 1 WHERE name = $1 AND version = $2', [
    name,
    version,
  ]);
};

import { isLeft } from 'fp-ts/Either';
import { type PoolClient } from 'pg';
import { type Position, type StoredEvent } from '../domain/kernel/event';
import { applyEvents, type FeedEvent, tryEvent } from './apply-events';
import { type Projection } from './projection';

/** The rows of `es.parked` that belong to the tables of one epoch of a projection. */
export interface ParkingPlace {
  readonly projection: Projection;
  readonly epoch: number;
}

/** An event that could not be applied, with why. Later ones of its stream wait behind it. */
export interface ParkedEvent {
  readonly reader: string;
  readonly event: StoredEvent;
  readonly error: string;
}

/** A parked event, without its data. */
export interface ParkedRow {
  readonly position: Position;
  readonly revision: number;
}

/** Applies events inside the caller's transaction, all or none; those of streams that are held back are parked. */
export const applyUnlessHeld = async (
  client: PoolClient,
  place: ParkingPlace,
  events: readonly FeedEvent[],
): Promise<void> => {
  const held = new Set(await heldStreams(client, place));
  const isHeld = ({ stored }: FeedEvent): boolean => held.has(stored.streamId);
  for (const { stored } of events.filter(isHeld)) await park(client, place, stored, null, 0);
  await applyEvents(
    client,
    place.projection,
    events.filter((event) => !isHeld(event)),
  );
};

/**
 * Applies events one by one inside the caller's transaction. One that fails is parked, and so are the later ones of
 * its stream and those of streams that are held back already; all others are applied. Returns those that failed.
 */
export const applyOrPark = async (
  client: PoolClient,
  place: ParkingPlace,
  events: readonly FeedEvent[],
  attempts: number,
): Promise<readonly ParkedEvent[]> => {
  const held = new Set(await heldStreams(client, place));
  const failed: ParkedEvent[] = [];
  for (const event of events) {
    const { stored } = event;
    if (held.has(stored.streamId)) {
      await park(client, place, stored, null, 0);
      continue;
    }
    const applied = await tryEvent(client, place.projection, event);
    if (!isLeft(applied)) continue;
    await park(client, place, stored, applied.left, attempts);
    held.add(stored.streamId);
    failed.push({ reader: place.projection.name, event: stored, error: applied.left });
  }
  return failed;
};

const keyOf = ({ projection: { name, version }, epoch }: ParkingPlace) => [name, version, epoch];

const heldStreams = async (client: PoolClient, place: ParkingPlace): Promise<readonly string[]> => {
  const { rows } = await client.query<{ stream_id: string }>(
    'SELECT DISTINCT stream_id FROM es.parked WHERE reader = $1 AND version = $2 AND epoch = $3',
    keyOf(place),
  );
  return rows.map(({ stream_id }) => stream_id);
};

/** Sets an event aside. Without an error it waits behind an earlier one. */
const park = async (
  client: PoolClient,
  place: ParkingPlace,
  { streamId, revision, position, type }: StoredEvent,
  error: string | null,
  attempts: number,
): Promise<void> => {
  await client.query(
    `INSERT INTO es.parked (reader, version, epoch, stream_id, position, event_stream_id, event_revision, event_type,
       error, attempts, last_failed_at)
     VALUES ($1, $2, $3, $4, $5, $4, $6, $7, $8, $9, CASE WHEN $8::text IS NULL THEN NULL ELSE now() END)`,
    [...keyOf(place), streamId, position, revision, type, error, attempts],
  );
};

/** What is parked of a stream, in order, the first `limit`. */
export const parkedOf = async (
  client: PoolClient,
  place: ParkingPlace,
  streamId: string,
  limit: number,
): Promise<readonly ParkedRow[]> => {
  const { rows } = await client.query<{ position: Position; revision: string }>(
    `SELECT position::text, event_revision AS revision FROM es.parked
     WHERE reader = $1 AND version = $2 AND epoch = $3 AND stream_id = $4 ORDER BY es.parked.position LIMIT $5`,
    [...keyOf(place), streamId, limit],
  );
  return rows.map(({ position, revision }) => ({ position, revision: Number(revision) }));
};

export const removeParked = async (
  client: PoolClient,
  place: ParkingPlace,
  streamId: string,
  position: Position,
): Promise<void> => {
  await client.query(
    'DELETE FROM es.parked WHERE reader = $1 AND version = $2 AND epoch = $3 AND stream_id = $4 AND position = $5',
    [...keyOf(place), streamId, position],
  );
};

export const recordFailure = async (
  client: PoolClient,
  place: ParkingPlace,
  streamId: string,
  position: Position,
  error: string,
): Promise<void> => {
  await client.query(
    `UPDATE es.parked SET error = $6, attempts = attempts + 1, last_failed_at = now()
     WHERE reader = $1 AND version = $2 AND epoch = $3 AND stream_id = $4 AND position = $5`,
    [...keyOf(place), streamId, position, error],
  );
};

/** Forgets everything parked for a projection but in the epoch that is kept. */
export const forgetParked = async (
  client: PoolClient,
  { name, version }: Projection,
  keptEpoch: number,
): Promise<void> => {
  await client.query('DELETE FROM es.parked WHERE reader = $1 AND version = $2 AND epoch <> $3', [
    name,
    version,
    keptEpoch,
  ]);
};

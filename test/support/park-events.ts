import { type Pool } from 'pg';
import { type StoredEvent } from '../../domain/kernel/event';
import { parkedEventTable, type ParkingKey } from '../../projections/feed/parked-event-table';

/** Parks events of a stream for a read model: the first one as after four failures, the others behind it. */
export const parkEvents = async (
  pool: Pool,
  reader: string,
  [first, ...behind]: readonly StoredEvent[],
  error: string,
): Promise<void> => {
  const { rows } = await pool.query<ParkingKey>('SELECT name, version, epoch FROM es.subscriptions WHERE name = $1', [
    reader,
  ]);
  if (first === undefined || rows[0] === undefined) throw new Error(`Nothing is there to be parked for ${reader}.`);
  const parked = parkedEventTable(pool, rows[0]);
  await parked.park(first.streamId, first, error, 4);
  for (const event of behind) await parked.parkIfBlocked(first.streamId, event);
};

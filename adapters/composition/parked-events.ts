import { right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type ParkingPorts } from '../../commands/processes/take-input';
import { retryParkedInputs } from '../../commands/processes/retry-inputs';
import { type ParkedEvents } from '../../domain/ports/parked-events';
import { PROCESSES } from '../../domain/ports/parked-inputs';
import { projections } from '../../projections/registry';
import { retryParked } from '../../projections/retry-parked';
import { type ReadDatabase } from '../../queries/kit/database';
import { findFirstParked } from '../../queries/parked-events';

/** What is parked for the projections and for the processes, behind one port. */
export const openParkedEvents = (pool: Pool, db: ReadDatabase, ports: ParkingPorts): ParkedEvents => ({
  firstOf: (reader, streamId) => findFirstParked(db, reader, streamId),
  retry: async (reader, streamId, skip) => {
    if (reader === PROCESSES) return retryParkedInputs(ports, streamId, skip);
    const projection = projections.find(({ name }) => name === reader);
    if (projection === undefined) return right({ applied: 0, error: null });
    return right(await retryParked(pool, ports.store, projection, streamId, skip));
  },
});

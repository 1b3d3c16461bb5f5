import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type EngineFailure } from '../engine-failure';
import { type NodeTable } from '../graph-schema';
import { type RunningServer } from './running-server';

const POLL_MS = 50;

/**
 * Builds the indexes on the keys of nodes. An index that the server builds while it reads a saved graph lacks the nodes
 * whose key is 0, so saved indexes are replaced.
 */
export const indexKeys = async (
  server: RunningServer,
  nodeTables: readonly NodeTable[],
): Promise<Either<EngineFailure, void>> => {
  for (const { label, primaryKey } of nodeTables) {
    const index = `INDEX FOR (n:\`${label}\`) ON (n.\`${primaryKey.name}\`)`;
    // A saved graph may contain an index; otherwise this has no effect.
    await server.run(`DROP ${index}`);
    const created = await server.run(`CREATE ${index}`);
    if (isLeft(created)) return created;
  }
  return whenBuilt(server);
};

const whenBuilt = async (server: RunningServer): Promise<Either<EngineFailure, void>> => {
  for (;;) {
    const building = await server.count(
      "CALL db.indexes() YIELD status WHERE status <> 'OPERATIONAL' RETURN count(status)",
    );
    if (isLeft(building)) return building;
    if (building.right === 0) return right(undefined);
    await wait(POLL_MS);
  }
};

import { type CatchUp } from '../../../../projections/catch-up';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { findGuardedInstance } from '../../../../queries/visible-instances';

/** A pod gets 30 seconds to close its database; the answer waits a little longer. */
const DELETION_MS = 35_000;

/** Waits until the record of a stopping instance is gone, which goes last; false when that takes too long. */
export const untilInstanceIsGone =
  ({ db, catchUp }: { readonly db: ReadDatabase; readonly catchUp: CatchUp }) =>
  async (instanceId: number): Promise<boolean> => {
    const deadline = Date.now() + DELETION_MS;
    while (Date.now() < deadline) {
      const change = catchUp.nextChange(1000);
      if ((await findGuardedInstance(db, { id: instanceId })) === null) return true;
      await change;
    }
    return false;
  };

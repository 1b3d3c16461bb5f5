import { type CatchUp } from '../../../../projections/catch-up';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { findInstanceWithAccess } from '../../../../queries/visible-instances';

/** A pod has 30 seconds to close its database; this timeout is a little longer. */
const DELETION_MS = 35_000;

/** Waits until the record of a stopping instance is deleted, which is the last step; false on timeout. */
export const untilInstanceIsGone =
  ({ db, catchUp }: { readonly db: ReadDatabase; readonly catchUp: CatchUp }) =>
  async (instanceId: number): Promise<boolean> => {
    const deadline = Date.now() + DELETION_MS;
    while (Date.now() < deadline) {
      const change = catchUp.nextChange(1000);
      if ((await findInstanceWithAccess(db, { id: instanceId })) === null) return true;
      await change;
    }
    return false;
  };

import { isLeft, left, right } from 'fp-ts/Either';
import { inTransaction } from '../../projections/projection-tables';
import { type CommandInput, type LocalContext, type Outcome } from '../cli/action';
import { confirm } from '../cli/confirm';
import { failed } from '../cli/failure';
import { recordFollowedLog } from '../postgres/followed-log';
import { forgetReadModels } from '../postgres/reader-positions';
import { forgetAnswerPositions } from '../postgres/postgres-idempotency-store';
import { uuids } from '../system/uuids';
import { logName } from '../start/event-store-settings';
import { withStoppedSystem } from './stopped-system';

/** Makes a stopped system follow the log in its settings, whatever it followed before; the next start replays it. */
export const adoptLog = (input: CommandInput, context: LocalContext): Outcome =>
  withStoppedSystem(context, true, async ({ settings, pool, openLog, lost }) => {
    const { kind } = settings.eventStore;
    const name = logName(settings.eventStore);
    const log = await openLog(kind);
    if (isLeft(log)) return log;
    const logId = await log.right.identity.ensure(uuids.uuid());
    if (isLeft(logId)) {
      const reason = 'reason' in logId.left ? logId.left.reason : logId.left.kind;
      return left(failed(`${name} could not be read: ${reason}`));
    }
    const question = `Discard the read models of this database and follow the log ${logId.right} in ${name}?`;
    const sure = await confirm(context.terminal, input, question);
    if (isLeft(sure)) return sure;
    const reason = lost();
    if (reason !== null) return left(failed(`${reason} Stop every rowgraph and run the command again.`));
    await inTransaction(pool, async (client) => {
      await forgetReadModels(client);
      await forgetAnswerPositions(client);
      await recordFollowedLog(client, { store: kind, logId: logId.right, copy: null });
    });
    return right({
      data: { store: kind, log_id: logId.right },
      text: `This system follows the log ${logId.right} in ${name} from now on.`,
      note: 'Start rowgraph: it fills its read models from the log.',
    });
  });

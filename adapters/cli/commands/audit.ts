import { Readable } from 'node:stream';
import { isLeft, left, right } from 'fp-ts/Either';
import { AUDIT_FIELDS } from '../../http/public/audit/endpoints';
import { publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup } from '../action';
import { sendUnchecked } from '../command';
import { type Session } from '../connection';
import { explain, usageError } from '../failure';
import { csvLine, emptyNote, tableOf } from '../output';
import { describeOption, readRequest } from '../request-fields';
import { type Fields, option, type RequestOption } from '../request-options';
import { exportTarget, writeExport } from '../write-export';

const endpoint = publicEndpoints.listAuditEvents;
/** Events per request of an export. */
const EXPORT_PAGE = 100;

const options: readonly RequestOption[] = [
  ...[
    option('--actor <username>', 'filter by user, or system:<process>'),
    option('--role <role>', 'filter by the role of the actor'),
    option('--resource-type <kind>', 'filter by kind of resource'),
    option('--resource-id <id>', 'filter by resource'),
    option('--correlation-id <id>', 'filter by request'),
    option('--from <time>', 'recorded at or after this time'),
    option('--to <time>', 'recorded at or before this time'),
    option('--limit <n>', 'page size (default 50, at most 100)'),
    option('--cursor <cursor>', 'continue after this event'),
  ].map((one) => describeOption(endpoint, one)),
  // There are too many types to list them in the help.
  option('--type <event>', 'filter by type of event, such as InstanceFailed'),
  option('--data', 'the data of the events, too', {
    field: 'include',
    read: (_, written) => Promise.resolve(right(written === true ? 'data' : undefined)),
  }),
];

const events: Action = {
  usage: 'events',
  summary: 'List events, newest first; --csv and --ndjson print all',
  takesCsv: true,
  options: [...options, option('--ndjson', 'print one JSON object per event, all of them')],
  examples: [
    'audit events --actor ada --from 2026-01-31T12:00:00Z',
    'audit events --type InstanceFailed --data --ndjson > failed.ndjson',
  ],
  run: async (session, input) => {
    const target = exportTarget(input, session.terminal);
    if (isLeft(target)) return target;
    const request = await readRequest(endpoint, { usage: 'events', options }, session, input);
    if (isLeft(request)) return request;
    const { query = {} } = request.right;
    if (target.right !== null) {
      if (query['limit'] !== undefined)
        return left(usageError('--limit does not apply to exports: they are complete.'));
      const { form } = target.right;
      return writeExport(Readable.from(exportLines(session, query, form === 'csv')), target.right, session.terminal);
    }
    const page = await sendUnchecked(session, 'listAuditEvents', { query });
    if (isLeft(page)) return left(explain(page.left));
    const { data, nextCursor } = page.right;
    return right({
      data,
      table: tableOf(data, {
        recorded: 'recorded_at',
        event: 'type',
        resource: ({ resource_type, resource_id }) => `${resource_type} ${resource_id}`,
        actor: 'actor',
        request: 'correlation_id',
        ...(query['include'] === undefined ? {} : { data: 'data' }),
      }),
      note: nextCursor == null ? emptyNote(data) : `More: --cursor ${nextCursor}; all: --csv or --ndjson.`,
    });
  },
};

/** All events as lines of CSV or NDJSON, page by page. Rejects when a page cannot be read. */
async function* exportLines(session: Session, query: Fields, asCsv: boolean): AsyncGenerator<string> {
  const columns = AUDIT_FIELDS.filter((field) => field !== 'data' || query['include'] !== undefined);
  if (asCsv) yield `${csvLine(columns)}\n`;
  let cursor = query['cursor'];
  do {
    const sent = { ...query, limit: EXPORT_PAGE, cursor };
    const page = await sendUnchecked(session, 'listAuditEvents', { query: sent });
    if (isLeft(page)) throw new Error(explain(page.left).lines.join(' '));
    for (const event of page.right.data) {
      const values = new Map<string, unknown>(Object.entries(event));
      yield `${asCsv ? csvLine(columns.map((column) => values.get(column))) : JSON.stringify(event)}\n`;
    }
    cursor = page.right.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export const auditCommands: ActionGroup = {
  name: 'audit',
  summary: 'Who changed what and when (admins, ops)',
  actions: [events],
};

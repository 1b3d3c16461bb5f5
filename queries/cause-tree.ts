import { groupBy } from 'fp-ts/NonEmptyArray';
import { type AuditedResource } from '../domain/audited-resource';
import { type IdGenerator } from '../domain/ports/id-generator';
import { processCommandId } from '../domain/processes';
import { auditColumns, listAuditTrail } from './audit-trail';
import { type ReadDatabase } from './kit/database';
import { type AuditRow } from './views/audit';
import { type CauseTree } from './views/why';

/** The newest events of one resource that a tree contains. */
const MAX_EVENTS = 1000;
/** Resources that an event can create; all their later events follow from that one. */
const CREATED: readonly string[] = ['mapping', 'snapshot', 'instance', 'export_job'];

/** In place of the position of a cause. */
const REQUEST = 'request';

type Ids = Pick<IdGenerator, 'derivedUuid'>;

/** The tree of causes of a resource: from the request to everything that followed. Null without events. */
export const readCauseTree = async (
  db: ReadDatabase,
  ids: Ids,
  resource: AuditedResource,
): Promise<CauseTree | null> => {
  const rows = await collectRows(db, ids, resource);
  const [first] = rows;
  if (first === undefined) return null;
  const causeOf = causeIn(rows, ids);
  const effects = groupBy((row: AuditRow) => causeOf(row)?.position ?? REQUEST)([...rows]);
  const nodesOf = (cause: string, since: string): readonly CauseTree[] =>
    (effects[cause] ?? []).map((row) => ({
      ...{ event_id: row.event_id, type: row.type, resource_type: row.resource_type, resource_id: row.resource_id },
      ...{ at: row.occurred_at, actor: row.actor },
      ms_after_cause: Date.parse(row.occurred_at) - Date.parse(since),
      children: nodesOf(row.position, row.occurred_at),
    }));
  return {
    ...{ event_id: first.causation_id, type: 'Request', resource_type: resource.type, resource_id: resource.id },
    ...{ at: first.occurred_at, actor: first.actor, ms_after_cause: 0 },
    children: nodesOf(REQUEST, first.occurred_at),
  };
};

/**
 * The events of a resource, those that followed from them, and the causes of all of these, in the order of the log.
 * What else followed from a cause is left out: one request may delete many resources.
 */
const collectRows = async (db: ReadDatabase, ids: Ids, resource: AuditedResource): Promise<readonly AuditRow[]> => {
  const rows = new Map<string, AuditRow>();
  const followed = new Set<string>();
  const read = new Set<string>();
  let next = await eventsOf(db, resource);
  let causes: readonly AuditRow[] = [];
  while (next.length + causes.length > 0) {
    for (const row of [...next, ...causes]) rows.set(row.position, row);
    for (const row of next) followed.add(row.position);
    const created = resourcesOf(next).filter((one) => !read.has(keyOf(one)));
    for (const one of created) read.add(keyOf(one));
    const wanted = [...next, ...causes].map(({ causation_id }) => causation_id);
    const [effects, further, above] = await Promise.all([
      trail(db).whereIn(
        'causation_id',
        next.flatMap((row) => causeIds(row, ids)),
      ),
      Promise.all(created.map((one) => eventsOf(db, one))),
      trail(db).whereIn('event_id', wanted),
    ]);
    next = [...effects, ...further.flat()].filter(({ position }) => !followed.has(position));
    causes = above.filter(({ position }) => !rows.has(position));
  }
  return [...rows.values()].sort((a, b) => Number(a.position) - Number(b.position));
};

const trail = (db: ReadDatabase) => db('audit_trail').select<AuditRow[]>(...auditColumns(db));

const eventsOf = async (
  db: ReadDatabase,
  { type: resource_type, id: resource_id }: AuditedResource,
): Promise<readonly AuditRow[]> =>
  (await listAuditTrail(db, { resource_type, resource_id }, { limit: MAX_EVENTS })).items;

const resourceOf = ({ resource_type: type, resource_id: id }: AuditRow): AuditedResource => ({ type, id });
const keyOf = ({ type, id }: AuditedResource): string => `${type} ${id}`;

/** The resources that events belong to as a whole: those that they create, and processes, which serve one resource. */
const resourcesOf = (rows: readonly AuditRow[]): readonly AuditedResource[] => {
  const whole = rows.filter(
    ({ resource_type, revision }) => resource_type === 'process' || (revision === 0 && CREATED.includes(resource_type)),
  );
  return [...new Map(whole.map(resourceOf).map((one) => [keyOf(one), one])).values()];
};

/** What effects of an event name as their cause: its id; older ones of a process, the id of its command. */
const causeIds = ({ event_id, type, resource_id, revision }: AuditRow, ids: Ids): readonly string[] =>
  type === 'ProcessCommandQueued' ? [event_id, processCommandId(ids, `process_${resource_id}`, revision)] : [event_id];

/**
 * The cause of an event: the one that it names. Otherwise a request is the cause: that of a user follows from the first
 * event of the resource, a report from the event before.
 */
const causeIn = (rows: readonly AuditRow[], ids: Ids): ((row: AuditRow) => AuditRow | null) => {
  const named = new Map(rows.flatMap((row) => causeIds(row, ids).map((id) => [id, row] as const)));
  const ofResource = groupBy((row: AuditRow) => keyOf(resourceOf(row)))([...rows]);
  return (row) => {
    const cause = named.get(row.causation_id);
    if (cause !== undefined && cause !== row) return cause;
    if (row.resource_type === 'capacity') return null;
    const whole: readonly AuditRow[] = ofResource[keyOf(resourceOf(row))] ?? [];
    const earlier = whole.slice(0, whole.indexOf(row));
    // Older events of one step of a process have one command, of which the first event is the input.
    const input = earlier.find(({ command_id }) => command_id === row.command_id);
    return input ?? (row.role === 'system' ? earlier.at(-1) : earlier[0]) ?? null;
  };
};

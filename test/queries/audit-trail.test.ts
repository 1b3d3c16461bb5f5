import { type Pool } from 'pg';
import { readConnectionTo } from '../../adapters/postgres/connection';
import { auditTrailProjection } from '../../projections/audit-trail';
import { prepareProjections, schemaOf } from '../../projections/projection-tables';
import { projections } from '../../projections/registry';
import { type AuditFilters, listAuditTrail } from '../../queries/audit-trail';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { type AuditRow } from '../../queries/views/audit';
import { Choice } from '../support/choice';
import { createTestPool } from '../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { SEED } from '../support/seed';

const ROWS = 6_000;
const LIMIT = 100;
/** Fewer than the events that a page looks at, so that pages can be short. */
const MANY = 1500;
const START = Date.UTC(2026, 0);

/** Rows whose values are frequent, rare or apart from each other: some pairs of frequent values have no row. */
const rowsOf = (choice: Choice): readonly AuditRow[] =>
  Array.from({ length: ROWS }, (_, index): AuditRow => {
    const isSystem = choice.percent(60);
    const type = choice.of(isSystem ? ['PodLost', 'JobDone', 'TimerFired'] : ['Requested', 'Renamed', 'Deleted']);
    // The clock of the store is set back now and then, and several events have one time.
    const at = new Date(START + 50 * Math.floor(index / 3) - choice.below(2) * choice.below(5000)).toISOString();
    return {
      ...{ position: String(index + 1), event_id: `e${index}`, type, revision: index },
      resource_type: type === 'JobDone' ? 'job' : type === 'TimerFired' ? 'process' : 'instance',
      resource_id: choice.percent(1) ? 'rare' : isSystem ? choice.of(['1', '2']) : choice.of(['2', '3']),
      actor: choice.percent(1) ? 'rita' : isSystem ? choice.of(['system:a', 'system:b']) : choice.of(['ada', 'bob']),
      role: isSystem ? 'system' : choice.percent(1) ? 'ops' : 'analyst',
      ...{ occurred_at: at, recorded_at: at, command_id: `c${index}`, causation_id: `e${index - 1}` },
      correlation_id: choice.percent(20) ? 'run' : `r${choice.below(4000)}`,
    };
  });

const rows = rowsOf(new Choice(SEED));
const newestFirst = [...rows].sort(
  (a, b) => Date.parse(b.recorded_at) - Date.parse(a.recorded_at) || Number(b.position) - Number(a.position),
);
const positionOf = ({ position }: AuditRow): string => position;
const time = (share: number): Date => new Date(START + share * ROWS * (50 / 3));

const VALUES: readonly AuditFilters[] = [
  ...['ada', 'system:a', 'rita'].map((actor) => ({ actor })),
  ...['system', 'ops', 'admin'].map((role) => ({ role })),
  ...(['instance', 'job'] as const).map((resource_type) => ({ resource_type })),
  ...['2', 'rare'].map((resource_id) => ({ resource_id })),
  ...['PodLost', 'Absent'].map((type) => ({ type })),
  ...['run', 'absent'].map((correlation_id) => ({ correlation_id })),
  ...[{ from: time(0.9) }, { to: time(0.5) }],
];
const nameOf = (filters: AuditFilters): string => Object.keys(filters).join();
/** Every pair of values of two filters. */
const PAIRS = VALUES.flatMap((one, index) =>
  VALUES.slice(index + 1).flatMap((other) => (nameOf(one) === nameOf(other) ? [] : [{ ...one, ...other }])),
);

const matches = ({ from, to, ...equal }: AuditFilters, row: AuditRow): boolean =>
  (from === undefined || row.recorded_at >= from.toISOString()) &&
  (to === undefined || row.recorded_at <= to.toISOString()) &&
  Object.entries(row).every(([column, value]) => {
    const wanted = new Map<string, unknown>(Object.entries(equal)).get(column);
    return wanted === undefined || wanted === value;
  });

describe('the audit trail', () => {
  let database: TestDatabase;
  let pool: Pool;
  let db: ReadDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createTestPool({ connectionString: database.connectionString, max: 2 });
    await prepareProjections(pool, projections);
    const table = `${schemaOf(auditTrailProjection, 0)}.audit_trail`;
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await pool.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
    await pool.query(`VACUUM ANALYZE ${table}`);
    db = openReadDatabase(readConnectionTo(database.connectionString));
  });
  afterAll(async () => {
    await db.destroy();
    await pool.end();
    await database.drop();
  });

  const listAll = async (filters: AuditFilters, limit: number): Promise<readonly AuditRow[]> => {
    const items: AuditRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAuditTrail(db, filters, { cursor, limit });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      items.push(...page.items);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    return items;
  };

  it('has pages with the rows that match every pair of filters, newest first', async () => {
    expect(await listAll({}, LIMIT)).toEqual(newestFirst);
    for (const filters of [...VALUES, ...PAIRS]) {
      const expected = newestFirst.filter((row) => matches(filters, row));
      const listed = await listAll(filters, MANY);
      expect([filters, ...listed.map(positionOf)]).toEqual([filters, ...expected.map(positionOf)]);
    }
  });

  it('fills each page, unless values of two indexes are wanted', async () => {
    const indexed = ['correlation_id', 'resource_id', 'actor'];
    for (const filters of PAIRS.filter((one) => Object.keys(one).filter((name) => indexed.includes(name)).length < 2)) {
      const { items, next } = await listAuditTrail(db, filters, { limit: LIMIT });
      expect({ filters, isFull: items.length === LIMIT || next === null }).toEqual({ filters, isFull: true });
    }
  });

  /** The most rows that a step of the plan of a page reads or discards. */
  const mostRowsOf = async (filters: AuditFilters): Promise<number> => {
    const sent: { readonly sql: string; readonly bindings: readonly string[] }[] = [];
    const listen = (query: (typeof sent)[number]): void => void sent.push(query);
    db.on('query', listen);
    await listAuditTrail(db, filters, { limit: LIMIT });
    db.removeListener('query', listen);
    const [{ sql, bindings } = { sql: '', bindings: [] }] = sent;
    const explain = `EXPLAIN (ANALYZE) ${sql.replaceAll(/\$\d+/g, '?')}`;
    const { rows: plan } = await db.raw<{ readonly rows: readonly { readonly 'QUERY PLAN': string }[] }>(explain, [
      ...bindings,
    ]);
    const counts = plan.flatMap(({ 'QUERY PLAN': line }) => {
      const [, read = '0', loops = '1'] = /actual time=\S+ rows=(\S+) loops=(\d+)/.exec(line) ?? [];
      const [, removed = '0'] = /Rows Removed by \w+: (\d+)/.exec(line) ?? [];
      return [Number(read) * Number(loops), Number(removed)];
    });
    return Math.max(...counts);
  };

  it('reads a page of each kind of events at most, also for frequent values that no row has together', async () => {
    const kinds = new Set(rows.map(({ resource_type, type, role }) => `${resource_type} ${type} ${role}`)).size;
    for (const filters of [
      ...[{}, { role: 'admin' }, { role: 'analyst', type: 'PodLost' }, { actor: 'ada', role: 'system' }],
      ...[
        { resource_type: 'job' as const, role: 'analyst' },
        { resource_id: '3', type: 'PodLost' },
      ],
      ...[{ actor: 'system:a', resource_id: '3' }, { correlation_id: 'run', from: time(2) }, { to: time(-2) }],
      ...[
        { actor: 'system:a', from: time(2) },
        { role: 'system', from: time(2) },
      ],
    ]) {
      const most = await mostRowsOf(filters);
      expect({ filters, isBounded: most <= kinds * (LIMIT + 1) }).toEqual({ filters, isBounded: true });
    }
  });
});

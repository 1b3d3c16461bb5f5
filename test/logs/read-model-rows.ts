import { type Pool } from 'pg';
import { auditTrailProjection } from '../../projections/audit-trail';
import { readModels } from '../../projections/replay-schema';

type Rows = ReadonlyMap<string, readonly string[]>;

/** Follows the rows of all read models in a schema. */
export const openReadModelRows = (pool: Pool, schema: string) => {
  let rows: Rows = new Map();

  const read = async (position: string): Promise<Rows> => {
    const selects = readModels.flatMap(({ exposes }) =>
      exposes.map((table) => {
        // The audit trail has one row per event, which later events do not change. Its kind follows from other columns.
        const isTrail = table === auditTrailProjection.name;
        const [row, condition] = isTrail
          ? ["(to_jsonb(r) - 'kind')", `WHERE r.position = ${position}`]
          : ['to_jsonb(r)', ''];
        return `SELECT '${table}' AS name, ${row}::text AS row FROM ${schema}.${table} AS r ${condition}`;
      }),
    );
    const result = await pool.query<{ name: string; row: string }>(`${selects.join(' UNION ALL ')} ORDER BY 1, 2`);
    const byTable = new Map<string, string[]>();
    for (const { name, row } of result.rows) byTable.set(name, [...(byTable.get(name) ?? []), row]);
    return byTable;
  };

  return {
    /** The tables that the event at a position has changed, each with its added and removed rows. */
    changedBy: async (position: string): Promise<ReadonlyMap<string, string>> => {
      const [before, after] = [rows, await read(position)];
      rows = after;
      const changes = [...new Set([...before.keys(), ...after.keys()])].map((table): [string, string] => {
        const [removed, added] = [before.get(table) ?? [], after.get(table) ?? []];
        const [wasThere, isThere] = [new Set(removed), new Set(added)];
        return [
          table,
          [
            ...removed.filter((row) => !isThere.has(row)).map((row) => `- ${row}`),
            ...added.filter((row) => !wasThere.has(row)).map((row) => `+ ${row}`),
          ].join('\n'),
        ];
      });
      return new Map(changes.filter(([, change]) => change !== ''));
    },
    /** The present rows of each table; of the audit trail, the last one. */
    present: (): Rows => rows,
  };
};

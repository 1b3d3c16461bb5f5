import { right } from 'fp-ts/Either';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { parseAllowList } from '../../domain/schema-cache';
import { possibleTables } from '../../domain/sql/named-tables';
import { inspectQuery, parseQueries } from '../../queries/inspect-query';
import { EngineStandIn } from '../support/engine-stand-in';
import { expectRight } from '../support/given-when-then';

const never = new AbortController().signal;
const inspection = (engine: EngineStandIn, allowed: string | null = null) => ({
  engine,
  allowList: expectRight(parseAllowList(allowed)),
});
const engineWith = (...columns: readonly string[]): EngineStandIn => {
  const engine = new EngineStandIn();
  engine.columns = columns.map((name) => ({ name, type: 'bigint' }));
  return engine;
};
const failing = (call: string, kind: QueryEngineError['kind']) => {
  const engine = engineWith('id');
  engine.failures.set(call, { kind, message: 'out of order', position: null, canRetry: false });
  return engine;
};

describe('inspecting a query', () => {
  it('sends it to the engine without its last semicolon', async () => {
    expect(await inspectQuery(inspection(engineWith('id')), 'SELECT id FROM t; ')).toEqual({
      _tag: 'Right',
      right: { isValid: true, sql: 'SELECT id FROM t', columns: [{ name: 'id', type: 'bigint' }] },
    });
  });

  it('does not send the engine a query that a mapping cannot contain', async () => {
    const engine = engineWith('id');
    expect(await inspectQuery(inspection(engine), 'SELECT 1;\n DROP TABLE t')).toMatchObject({
      right: { isValid: false, position: { line: 2, column: 2 } },
    });
    expect(engine.calls).toEqual([]);
  });

  it.each([
    ['unavailable', 'SERVICE_UNAVAILABLE'],
    ['query_failed', 'QUERYENGINE_ERROR'],
  ] as const)('the engine error %s is answered %s', async (kind, code) => {
    const refused = { left: { code, message: expect.stringContaining('out of order') as string } };
    const [describing, lookingUp] = [failing('describe', kind), failing('tablesOf', kind)];
    expect(await inspectQuery(inspection(describing), 'SELECT 1 FROM t')).toMatchObject(refused);
    expect(await inspectQuery(inspection(lookingUp, 'bank'), 'SELECT 1 FROM t')).toMatchObject(refused);
    const queries = { node_queries: ['SELECT 1 FROM t'], edge_queries: [] };
    expect(await parseQueries(inspection(describing), queries, never)).toMatchObject(refused);
  });

  it.each([
    'SELECT * FROM vault.main.gold',
    'SELECT * FROM bank.main.t, (SELECT 1 FROM "vault"."main"."gold") x',
    'SELECT * FROM bank.main.t JOIN vault.main.gold USING (id)',
    'WITH x AS (TABLE vault.main.gold) SELECT 1 FROM x',
    'SELECT (SELECT max(id) FROM vault.main.gold)',
    'SELECT 1 FROM bank.main.t UNION SELECT 1 FROM vault.main.gold',
    'SELECT 1 FROM bank.secret.t',
  ])('is forbidden outside the allow-list: %s', async (sql) => {
    const engine = engineWith('id');
    expect(await inspectQuery(inspection(engine, 'bank.main'), sql)).toMatchObject({
      left: { code: 'PERMISSION_DENIED' },
    });
    expect(engine.calls).not.toContain('describe');
    expect(await inspectQuery(inspection(engine, 'bank,vault'), sql)).toMatchObject({ right: { isValid: true } });
  });
});

it('a forbidden catalog that the query does not name is not named in its rejection', async () => {
  const engine = engineWith('id');
  engine.tablesOf = (sql) =>
    Promise.resolve(right(possibleTables(sql).map((path) => ({ catalog: 'vault', schema: 'main', path }))));
  for (const sql of ['SELECT * FROM gold', 'SELECT * FROM main.gold']) {
    const refused = await inspectQuery(inspection(engine, 'bank'), sql);
    expect(refused).toMatchObject({ left: { code: 'PERMISSION_DENIED' } });
    expect(JSON.stringify(refused)).not.toContain('vault');
  }
  expect(await inspectQuery(inspection(engine, 'bank'), 'SELECT * FROM Vault.gold')).toMatchObject({
    left: { code: 'PERMISSION_DENIED', details: { catalog: 'vault' } },
  });
});

describe('parsing queries', () => {
  it('reports every invalid query', async () => {
    const queries = { node_queries: ['SELECT 1', 'DROP TABLE t'], edge_queries: ['SELECT (1'] };
    expect(await parseQueries(inspection(engineWith('id')), queries, never)).toMatchObject({
      left: {
        code: 'VALIDATION_FAILED',
        details: { errors: [{ field: 'node_queries.1' }, { field: 'edge_queries.0' }] },
      },
    });
  });

  it('ends at its time limit', async () => {
    const queries = { node_queries: ['SELECT 1'], edge_queries: [] };
    expect(await parseQueries(inspection(engineWith('id')), queries, AbortSignal.abort())).toMatchObject({
      left: { code: 'QUERYENGINE_ERROR' },
    });
  });
});

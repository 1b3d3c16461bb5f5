import { join } from 'node:path';
import { verifySystem } from '../../../adapters/maintenance/verify-command';
import { createProjectionFixture, type ProjectionFixture } from '../../projections/projection-fixture';
import { appendInstance } from '../../projections/sample-events';
import { terminalOf } from '../../support/command-line';
import { expectRight } from '../../support/given-when-then';
import { sealLog } from '../../support/seal-log';

const run = (options: Readonly<Record<string, string | true>>, environment: Readonly<Record<string, string>>) => {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return value === true ? undefined : value;
  };
  const terminal = terminalOf({ out: '', errors: '' });
  return verifySystem({ text, flag: (name) => options[name] === true }, { terminal, environment });
};

describe('the command verify', () => {
  let fixture: ProjectionFixture;
  beforeEach(async () => {
    fixture = await createProjectionFixture();
  });
  afterEach(() => fixture.close());
  const runHere = (options: Readonly<Record<string, string | true>>) =>
    run(options, { ROWGRAPH_DATABASE_URL: fixture.connectionString });

  it('exits with 2 for wrong use, without a system, and when the database does not answer', async () => {
    const nowhere = join(__dirname, 'nowhere');
    expect(await run({ expect: 'abc' }, {})).toMatchObject({
      left: { exitCode: 2, lines: ['--expect must be the hash of a seal, 64 hexadecimal digits; got "abc".'] },
    });
    for (const sample of ['0%', '101%', '5', 'few']) {
      expect(await run({ sample }, {})).toMatchObject({
        left: { exitCode: 2, lines: ['--sample must be a percentage from 0.01% to 100%, such as 5%.'] },
      });
    }
    expect(await run({ sample: '5%', seals: true }, {})).toMatchObject({ left: { exitCode: 2 } });
    expect(await run({}, { ROWGRAPH_DATA_DIR: nowhere })).toMatchObject({
      left: { exitCode: 2, lines: [`No system has run in ${nowhere}. Set ROWGRAPH_DATA_DIR to its folder.`] },
    });
    expect(await run({}, { ROWGRAPH_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })).toMatchObject({
      left: { exitCode: 2, lines: [expect.stringContaining('The verification failed: ')] },
    });
  });

  it('prints the state of the seals, and where the unsealed part begins', async () => {
    await appendInstance(fixture.store, 1);
    const hash = await sealLog(fixture.store);
    const head = Number(expectRight(await fixture.store.head()));
    await appendInstance(fixture.store, 2);
    const { data, text, exitCode } = expectRight(await runHere({ seals: true, expect: (hash ?? '').toUpperCase() }));
    expect(exitCode).toBeUndefined();
    expect(data).toEqual({
      ok: true,
      position: expectRight(await fixture.store.head()),
      differences: [],
      seals: {
        count: 1,
        last: { number: 1, hash, sealed_at: expect.any(String) as string },
        unsealed_from: String(head + 1),
      },
    });
    expect(text).toContain(`Seal 1: ${hash}. Events from position ${head + 1} are not sealed.`);
  });

  it('exits with 1 when the log does not have an expected seal, or its read models differ', async () => {
    await appendInstance(fixture.store, 1);
    expect(expectRight(await runHere({ seals: true, expect: 'a'.repeat(64) }))).toMatchObject({
      exitCode: 1,
      note: 'There is no seal. Events from position 1 are not sealed.',
    });
    expect(expectRight(await runHere({}))).toMatchObject({ exitCode: 1, data: { ok: false } });
  });
});

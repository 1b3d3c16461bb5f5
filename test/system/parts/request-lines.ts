import * as t from 'io-ts';
import { MASKED } from '../../../adapters/system/log-options';
import { parseJson } from '../../../domain/kernel/codecs';
import { type ApiClient } from '../../support/api-client';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  untilRunning,
  untilSettled,
} from '../../support/instances';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { person, townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** A part of one-system.test.ts. */
export const requestLines = (shared: () => RunningSystem): void => {
  const Line = t.intersection([
    t.type({ level: t.number, msg: t.string }),
    t.partial({ path: t.string, user: t.string, instanceId: t.union([t.number, t.null]), end: t.string }),
  ]);
  const [DEBUG, INFO, WARN] = [20, 30, 40];

  let system: RunningSystem;
  let ada: ApiClient;
  beforeAll(() => {
    system = shared();
    ada = system.as('ada');
  });

  const linesOf = (output: string): readonly t.TypeOf<typeof Line>[] =>
    output
      .split('\n')
      .map(parseJson)
      .filter((line) => Line.is(line));
  const requestLines = () => linesOf(system.output()).filter(({ msg }) => msg === 'request');

  it('lines of the log contain the caller and the instance, no query string and no slug; polls are at level debug', async () => {
    const id = await createInstance(ada, await createMapping(ada, townMapping));
    const { instance_url } = await untilRunning(ada, id);
    const slug = instance_url.split('/').at(-1) ?? '';
    await ask(ada, instance_url, 'RETURN 1');
    await ada.send('GET', `${instance_url}/schema?secret=1`);
    for (const path of [
      '/health',
      '/ready',
      '/api/health',
      '/api/export-jobs/pending-count',
      `${instance_url}/ready`,
    ]) {
      await ada.send('GET', path);
    }
    await ada.call('listMappings', { query: { search: 'secret' } });
    await ada.send('GET', `/graphs/00000000-0000-4000-8000-000000000000/schema`);
    await waitFor('the last request is logged', () => requestLines().some(({ path }) => path === '/graphs/…/schema'));

    const lines = requestLines();
    expect(lines).toContainEqual(
      expect.objectContaining({ level: INFO, path: `/graphs/${id}/query`, instanceId: id, user: 'ada' }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ level: INFO, path: `/graphs/${id}/schema` }));
    expect(lines).toContainEqual(expect.objectContaining({ level: INFO, path: '/api/mappings', user: 'ada' }));
    const texts = lines.map((line) => JSON.stringify(line));
    expect(texts.filter((text) => text.includes('secret'))).toEqual([]);
    expect(system.processes('pod')).toHaveLength(1);
    const visible = [...system.output().split('\n'), ...system.processes().map(({ command }) => command)];
    expect(visible.filter((text) => text.includes(slug) || text.includes(MASKED))).toEqual([]);

    const polls = [
      '/health',
      '/ready',
      '/api/health',
      '/api/export-jobs/pending-count',
      `/graphs/${id}/ready`,
      '/api/internal/export-jobs/claim',
      '/api/internal/export-jobs/pollable',
      `/api/internal/instances/${id}/progress`,
    ];
    const levels = polls.map((poll) => new Set(lines.filter(({ path }) => path === poll).map(({ level }) => level)));
    expect(levels).toEqual(polls.map(() => new Set([DEBUG])));
    await deleteInstance(ada, id);
  });

  it('warn of a failed export', async () => {
    const sql = 'SELECT nothing FROM people';
    const broken = await createMapping(ada, { name: 'Broken', node_definitions: [{ ...person, sql }] });
    const id = await createInstance(ada, broken);
    expect((await untilSettled(ada, id)).status).toBe('failed');
    const failures = () => linesOf(system.output()).filter(({ end }) => end === 'failed');
    await waitFor('the worker logs the failure', () => failures().length > 0);
    expect(failures().map(({ level }) => level)).toEqual([WARN]);
    await deleteInstance(ada, id);
  });

  it('do not report a deletion during the start as a failure', async () => {
    const mapping = await createMapping(ada, townMapping);
    const before = system.output().length;
    for (const status of ['waiting_for_snapshot', 'starting']) {
      const id = await createInstance(ada, mapping);
      await waitFor(
        `the instance is ${status}`,
        async () => [status, 'starting', 'running'].includes((await findInstance(ada, id)).status),
        TIMEOUT_MS,
      );
      await deleteInstance(ada, id);
      await waitFor(
        'the instance is deleted',
        async () => (await ada.send('GET', `/api/instances/${id}`)).status === 404,
        TIMEOUT_MS,
      );
    }
    const lines = linesOf(system.output().slice(before));
    expect(lines.filter(({ level }) => level >= WARN)).toEqual([]);
  });

  it('are JSON like all others: only the startup message on stdout is not', () => {
    const others = system
      .output()
      .split('\n')
      .filter((line) => parseJson(line) === undefined);
    expect(others.map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'rowgraph is ready.',
      'console',
      'API',
      'internal API',
      'data',
      'log',
      'warehouse',
      'Stop it with Ctrl-C; instances are loaded again at the next start.',
    ]);
  });
};

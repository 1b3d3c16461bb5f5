import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createSampleGraph } from '../../contracts/graph-engine/sample-graph';
import { waitFor } from '../../support/wait-for';
import { startControlPlane } from './support/control-plane-server';
import { startPod } from './support/pod-process';

const NOBODY = 65_534;
/** Mounting needs root. */
const canMount = process.getuid?.() === 0 && existsSync('/usr/bin/unshare');

(canMount ? describe : describe.skip).each(['graphdb_a', 'graphdb_b'] as const)(
  'a pod of %s without privileges and with a read-only root',
  (kind) => {
    test('writes only to its folders for data, programs and the limit', async () => {
      const sample = await createSampleGraph();
      const controlPlane = await startControlPlane(sample.mapping, sample.snapshot);
      const folder = await mkdtemp(join(tmpdir(), 'rowgraph-read-only-'));
      const [root, data, cache] = ['root', 'data', 'cache'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      for (const directory of [root, data, cache]) await mkdir(directory);
      for (const directory of [data, cache]) await chown(directory, NOBODY, NOBODY);
      for (const directory of [folder, sample.snapshot.root]) await chmod(directory, 0o755);
      await writeFile(join(data, 'memory.max'), 'max\n');
      const pod = await startPod(controlPlane, data, kind, 2 ** 30, {
        execPath: resolve('test/support/programs/read-only-root.sh'),
        env: {
          WRITABLE: `${data} ${cache}`,
          READ_ONLY_ROOT: root,
          ROWGRAPH_POD_CACHE_DIR: cache,
          TMPDIR: data,
          HOME: data,
        },
      });
      try {
        await waitFor(
          'the pod runs or has ended',
          () => controlPlane.statuses().length > 1 || pod.child.exitCode !== null,
        );
        expect(controlPlane.statuses().map(({ status }) => status)).toEqual(['starting', 'running']);
        const answer = await pod.call('POST', '/query', { query: 'MATCH (p:Person) RETURN count(p)' });
        expect(answer.body['rows']).toEqual([[3]]);
        const run = await pod.call('POST', '/algo/pagerank', algorithmOf[kind], 'ada');
        expect([run.status, run.text]).toEqual([202, expect.any(String)]);
      } finally {
        pod.child.kill('SIGTERM');
        expect([await pod.ended, pod.output()]).toEqual([0, expect.any(String)]);
        await controlPlane.close();
        await sample.snapshot.remove();
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
);

const algorithmOf = {
  graphdb_a: { node_label: 'Person', property_name: 'rank' },
  graphdb_b: { result_property: 'rank' },
} as const;

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FilesystemObjectStore } from '../../adapters/filesystem/filesystem-object-store';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type Figure, quantile, rounded } from '../figure';
import { need } from '../need';
import { EDGES, exportBenchGraph, NODES } from './bench-graph';
import { startBenchPod } from './bench-pod';

const ROUNDS = 3;

/**
 * Load time of a DuckDB pod from the S3 server in `S3_ENDPOINT` and `S3_BUCKET`, compared with local files. Both take
 * turns; the median of each is reported.
 */
export const s3LoadBench = async (say: (line: string) => void): Promise<readonly Figure[]> => {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket = 'rowgraph', AWS_REGION: region = 'us-east-1' } = process.env;
  if (endpoint === undefined)
    throw new Error('S3_ENDPOINT is missing: name an S3 server, and S3_BUCKET, AWS_… with it.');
  const prefix = `bench/${randomUUID()}`;
  const s3 = new S3ObjectStore({
    ...{ bucket, prefix, endpoint, region, pathStyle: true, encryption: null, checksums: 'supported' },
  });
  const root = await mkdtemp(join(tmpdir(), 'rowgraph-bench-'));
  try {
    say(`exporting ${NODES} nodes and ${EDGES} edges`);
    const mapping = await exportBenchGraph(root);
    const local = new FilesystemObjectStore(root);
    await copyAll(local, root, s3);
    const seconds = { local: [] as number[], s3: [] as number[] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [name, store] of [
        ['local', local],
        ['s3', s3],
      ] as const) {
        const pod = await startBenchPod(root, mapping, 'graphdb_a', store);
        await pod.stop();
        seconds[name].push(pod.loadSeconds);
        say(`round ${round}, ${name}: ${rounded(pod.loadSeconds)} s`);
      }
    }
    const [fromLocal, fromS3] = [quantile(seconds.local, 0.5), quantile(seconds.s3, 0.5)];
    return [
      { what: 'load from local files', value: rounded(fromLocal), unit: 's' },
      { what: 'load from S3', value: rounded(fromS3), unit: 's' },
      {
        what: 'speed of S3 against local files',
        value: rounded((100 * fromLocal) / fromS3),
        unit: '%',
        goal: { atLeast: 80 },
      },
    ];
  } finally {
    await s3.deleteAll('');
    await rm(root, { recursive: true, force: true });
  }
};

const copyAll = async (from: ObjectStore, root: string, to: ObjectStore): Promise<void> => {
  for (const { key } of need(await from.list('ada/'))) need(await to.putFile(key, join(root, key)));
};

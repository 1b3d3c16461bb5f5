import { readFileSync } from 'node:fs';
import { type AlgorithmJob } from '../../../../pod/graph/algorithms/algorithm-job';
import { runJob } from '../../../../pod/graph/algorithms/algorithm-service';

const job: AlgorithmJob = {
  kind: 'graphdb_a',
  algorithm: 'density',
  parameters: {},
  graph: {
    directed: false,
    parallel: 'sum',
    nodes: [{ label: 'Person', files: ['/nowhere.parquet'], rowCount: 1, keyColumn: 'id' }],
    edges: [],
  },
  source: null,
  target: null,
  output: { kind: 'json', file: '/nowhere/result.json', native: false, valueType: null, top: null },
  scratchDirectory: '/nowhere',
  memoryBytes: 64 * 1024 * 1024,
  threads: 1,
};

const children = (): string[] => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');

/** A job whose process is dead before the job is written to it: reading its parameters kills the newest child. */
const deadlyJob: AlgorithmJob = {
  ...job,
  get parameters() {
    const pid = children().at(-1);
    process.kill(Number(pid), 'SIGKILL');
    while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) continue;
    return {};
  },
};

const watch = { report: () => undefined };
const killed = { left: expect.stringContaining('SIGKILL') as string };

describe('the process of a run', () => {
  test('reports its exit reason when it is killed before it receives its job', async () => {
    const { outcome } = runJob(deadlyJob, { ...watch, signal: new AbortController().signal });
    expect(await outcome).toMatchObject(killed);
  });

  test('ends at once when it is cancelled before it starts', async () => {
    const { outcome } = runJob(job, { ...watch, signal: AbortSignal.abort() });
    expect(await outcome).toMatchObject(killed);
  });
});

import { isLeft } from 'fp-ts/Either';
import { openDuckdb } from '../loading/duckdb-session';
import { type AlgorithmJob, type AlgorithmOutcome } from './algorithm-job';
import { NATIVE_ALGORITHMS } from './native-algorithms';
import { readGraph } from './read-graph';
import { writeValues } from './write-values';

/** The process of one algorithm run: forked with a job, answers with an outcome, ends with the pod. */
const execute = async (job: AlgorithmJob): Promise<AlgorithmOutcome> => {
  const algorithm = NATIVE_ALGORITHMS.get(job.algorithm);
  if (algorithm === undefined) return { ok: false, reason: `There is no algorithm ${job.algorithm}.` };
  const session = await openDuckdb(job);
  const graph = await readGraph(session, job);
  const values = algorithm.compute(graph, job.parameters);
  if (isLeft(values)) return { ok: false, reason: values.left };
  await writeValues(session, values.right, job.resultFile);
  session.close();
  return { ok: true, values: values.right.length };
};

const answer = async (job: AlgorithmJob): Promise<void> => {
  const outcome = await execute(job).catch((error: unknown): AlgorithmOutcome => {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  });
  process.send?.(outcome, () => process.disconnect());
};

process.on('message', (job: AlgorithmJob) => void answer(job));
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

import { createReadStream } from 'node:fs';
import { type BodyPieces } from '../../../adapters/http/kit';
import { type Execution, type ExecutionEnd, statusOf } from '../algorithms/runs';

/** A run in the format of instances on Kuzu. */
export const kuzuExecution = (execution: Execution, now: Date) => {
  const { request, startedAt, progress, timings, end } = execution;
  const seconds = ((end?.at ?? now).getTime() - startedAt.getTime()) / 1000;
  return {
    ...commonFields(execution),
    algorithm: request.name,
    algorithm_type: request.type,
    ...(Object.keys(timings).length > 0 && { timings }),
    ...(end === null ? { elapsed_seconds: seconds, progress } : { duration_seconds: seconds }),
    ...(end?.status === 'failed' && { error: end.error }),
    ...(end?.status === 'completed' &&
      end.result.kind === 'property' && {
        result: { property_name: request.propertyName ?? '', nodes_updated: end.result.nodesUpdated },
      }),
  };
};

/** A run in the format of instances on FalkorDB. */
export const falkordbExecution = (execution: Execution, now: Date) => {
  const { request, username, startedAt, end } = execution;
  const ms = (end?.at ?? now).getTime() - startedAt.getTime();
  return {
    ...commonFields(execution),
    algorithm_name: request.name,
    algorithm_type: 'native' as const,
    user_id: username,
    result_property: request.propertyName,
    write_back: request.writeBack,
    ...(end === null ? { elapsed_ms: ms } : { duration_ms: ms }),
    ...(end?.status === 'failed' && { error_message: end.error }),
    ...(end?.status === 'completed' && {
      nodes_updated: end.result.kind === 'property' ? end.result.nodesUpdated : 0,
    }),
  };
};

/** Additional fields of the answer to a start. */
export const aboutStart = ({ warnings, estimatedSeconds }: Execution) => ({
  ...(estimatedSeconds !== null && { estimated_seconds: estimatedSeconds }),
  ...(warnings.length > 0 && { warnings }),
});

const commonFields = (execution: Execution) => ({
  execution_id: execution.executionId,
  status: statusOf(execution),
  started_at: execution.startedAt.toISOString(),
  user_name: execution.username,
  ...endTime(execution),
});

const endTime = ({ end }: Execution): Partial<Record<`${ExecutionEnd['status']}_at`, string>> =>
  end === null ? {} : { [`${end.status}_at`]: end.at.toISOString() };

/** Of a status whose result is kept in a file, the file goes out as it is read: it may have a value per node. */
export const kuzuReply = (execution: Execution, now: Date) => {
  const body = kuzuExecution(execution, now);
  const { end } = execution;
  if (end?.status !== 'completed' || end.result.kind !== 'file') return { body };
  return { body, bodyPieces: withResult(JSON.stringify(body), end.result.file) };
};

async function* withResult(body: string, file: string): BodyPieces {
  yield `${body.slice(0, -1)},"result":`;
  yield* createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
  yield '}';
}

const PIECE_BYTES = 256 * 1024;

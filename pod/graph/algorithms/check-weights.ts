import { type DomainError, invalidField } from '../../../domain/kernel/errors';
import { type DuckdbSession, readParquet, sqlName } from '../duckdb/duckdb-session';
import { type PlannedRun } from './plan-run';

/**
 * The error for a weight that is not finite, or for which the algorithm has no meaning. Parallel rows are checked
 * separately: in their sum a negative weight could disappear.
 */
export const checkWeights = async (
  session: DuckdbSession,
  { request, graph }: PlannedRun,
): Promise<DomainError<'VALIDATION_FAILED'> | null> => {
  const { name, weights } = request.algorithm;
  for (const { files, rowCount, weightColumn } of graph.edges) {
    if (weightColumn === null || rowCount === 0) continue;
    const column = `${sqlName(weightColumn)}::DOUBLE`;
    const [row] = await session.rows(
      `SELECT min(${column}) AS least, max(${column}) AS most FROM ${readParquet(files)}`,
    );
    // In DuckDB NaN is the greatest number. Edges without a weight weigh 1.
    const [least, most] = [Number(row?.['least'] ?? 1), Number(row?.['most'] ?? 1)];
    const wrong = [most, least].find((weight) => !Number.isFinite(weight));
    if (wrong !== undefined) {
      return invalidField('weight_property', `is ${wrong} on an edge; weights must be finite, leave such edges out`);
    }
    if (least < 0 && weights?.allowed !== 'all') {
      const meaning = `${name} has a meaning for weights of at least 0 only; choose another property`;
      return invalidField('weight_property', `is ${least} on an edge; ${meaning}`);
    }
    if (least === 0 && weights?.allowed === 'positive') {
      return invalidField(
        'weight_property',
        `is 0 on an edge; ${name} counts paths, whose steps need a length above 0`,
      );
    }
  }
  return null;
};

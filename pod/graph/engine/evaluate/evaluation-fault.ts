/** Why a query does not have a result: openCypher returns an error, or the answer of openCypher is unknown. */
export class EvaluationFault extends Error {
  /** The place of the expression that caused it. */
  offset: number | null = null;

  constructor(
    readonly kind: 'error' | 'unsupported' | 'too much',
    message: string,
  ) {
    super(message);
  }
}

export const fail = (message: string): never => {
  throw new EvaluationFault('error', message);
};

export const unsupported = (what: string): never => {
  throw new EvaluationFault('unsupported', what);
};

/** Why a query has no result: openCypher gives an error, or what openCypher answers is not known. */
export class EvaluationFault extends Error {
  /** Where the expression stands that it was found in. */
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

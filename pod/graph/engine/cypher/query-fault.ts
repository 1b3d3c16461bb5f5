/** Why a query is rejected, with the offset in its text. Thrown within the analysis, which returns it as a value. */
export class QueryFault extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

export const fail = (message: string, { start }: { readonly start: number }): never => {
  throw new QueryFault(message, start);
};

export const missingParameter = (name: string): string =>
  `Missing parameter ${name}: the query uses $${name}. Send a value in "parameters" (null is possible), or by ` +
  `rowgraph query -p ${name}=….`;

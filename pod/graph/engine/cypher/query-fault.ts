/** Why a query is rejected, with the offset in its text. Thrown inside of the analysis, and returned by it as a value. */
export class QueryFault extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

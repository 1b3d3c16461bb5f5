/** One step of the database's shape. Never changed once released; a correction is a further step. */
export interface Migration {
  /** Order of the steps, from 1, without gaps. */
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

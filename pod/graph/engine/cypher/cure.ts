import { type GraphSchema } from '../graph-schema';
import { type Query } from './tree';

/** Input of a cure, in addition to the query. */
export interface CureContext {
  /** The original text. */
  readonly text: string;
  readonly schema: GraphSchema;
  /** JSON values by the names of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether a relationship may match several times in one MATCH. */
  readonly walks: boolean;
  /** Creates a name that the query does not contain. */
  readonly newName: () => string;
}

/**
 * The cure of a quirk, a difference between an engine and openCypher: rewrites the query so that the engine answers it
 * correctly; throws a `QueryFault` if that is impossible.
 */
export type Cure = (query: Query, context: CureContext) => Query;

import { type GraphSchema } from '../graph-schema';
import { type Query } from './tree';

/** Input of a cure, in addition to the query. */
export interface QuirkContext {
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

/** A difference between an engine and openCypher, and its cure. */
export interface Quirk {
  readonly id: string;
  /** One sentence for the guide to instance kinds. */
  readonly description: string;
  /** Rewrites the query so that the engine answers it correctly; throws a `QueryFault` if that is impossible. */
  readonly rewrite?: (query: Query, context: QuirkContext) => Query;
}

/** Applies quirks in their order. Throws a `QueryFault` if one of them cannot be cured. */
export const cure = (query: Query, quirks: readonly Quirk[], context: QuirkContext): Query =>
  quirks.reduce((cured, quirk) => quirk.rewrite?.(cured, context) ?? cured, query);

import { type GraphSchema } from '../graph-schema';
import { type Query } from './tree';

/** What a quirk is cured with, besides the query. */
export interface QuirkContext {
  /** The text that was sent. */
  readonly text: string;
  readonly schema: GraphSchema;
  /** JSON values by the names of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly now: Date;
  /** Whether a relationship may match several times in one MATCH. */
  readonly walks: boolean;
  /** Makes a name that the query does not have. */
  readonly newName: () => string;
}

/** What shows a quirk on the engine without its cure. */
export interface QuirkDemonstration {
  /** The nodes and edges of a small graph, as `CREATE` of openCypher would make them; omitted: none. */
  readonly graph?: string;
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The rows of openCypher. */
  readonly right: readonly (readonly unknown[])[];
  /** The rows of the engine, or how it fails. */
  readonly wrong: readonly (readonly unknown[])[] | 'error' | 'crash';
}

/** A difference between an engine and openCypher, and what is done about it. */
export interface Quirk {
  readonly id: string;
  /** One sentence for the guide to the kinds. */
  readonly description: string;
  readonly shown: QuirkDemonstration;
  /** The query as the engine answers it rightly; throws a `QueryFault` where that is impossible. */
  readonly rewrite?: (query: Query, context: QuirkContext) => Query;
  /** Sentences about answers that are almost always right. */
  readonly warn?: (query: Query, context: QuirkContext) => readonly string[];
}

/** Applies quirks in their order. Throws a `QueryFault` where one of them cannot be cured. */
export const cure = (query: Query, quirks: readonly Quirk[], context: QuirkContext): Query =>
  quirks.reduce((cured, quirk) => quirk.rewrite?.(cured, context) ?? cured, query);

/** The warnings of all quirks, each once. */
export const warningsOf = (query: Query, quirks: readonly Quirk[], context: QuirkContext): readonly string[] => [
  ...new Set(quirks.flatMap((quirk) => quirk.warn?.(query, context) ?? [])),
];

/** Names that begin with `_` are not written: `_1` is `()`. */
export interface NodePattern {
  readonly name: string;
  readonly label: string | null;
  readonly id: number | null;
}

export interface StepPattern {
  readonly name: string;
  /** Empty: any. */
  readonly types: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  /** The bounds of `*1..3`; null for a single step. */
  readonly length: readonly [number, number] | null;
  /** The weight of the edge; no two edges have the same. */
  readonly weight: number | null;
  readonly to: NodePattern;
}

export interface PathPattern {
  readonly name: string;
  readonly from: NodePattern;
  readonly steps: readonly StepPattern[];
}

export type Condition =
  /** A comparison of ids. */
  | {
      readonly kind: 'compare';
      readonly left: string;
      readonly operator: '<' | '<>' | '=';
      readonly right: string | number;
    }
  | { readonly kind: 'pattern'; readonly negated: boolean; readonly from: string; readonly step: StepPattern };

export interface Match {
  readonly optional: boolean;
  readonly paths: readonly PathPattern[];
  readonly conditions: readonly Condition[];
  readonly joinedBy: 'AND' | 'OR';
}

export type Value =
  | { readonly kind: 'node' | 'weight' | 'scalar' | 'length'; readonly name: string }
  | { readonly kind: 'count(*)' }
  | {
      readonly kind: 'aggregate';
      readonly function: 'count' | 'sum' | 'min' | 'max';
      readonly distinct: boolean;
      readonly of: { readonly kind: 'node' | 'weight'; readonly name: string };
    };

/** A WITH, or the RETURN at the end. Nodes keep their names in a WITH, and are replaced by their ids in a RETURN. */
export interface Projection {
  readonly distinct: boolean;
  readonly items: readonly { readonly value: Value; readonly alias: string }[];
  /** The maximum number of rows, ordered by all columns. */
  readonly limit: number | null;
}

export interface Part {
  readonly matches: readonly Match[];
  readonly projection: Projection;
}

/** Its branches are combined by UNION or UNION ALL; all have the same columns. */
export interface PatternQuery {
  readonly branches: readonly (readonly Part[])[];
  readonly unionAll: boolean;
}

export const isAggregate = ({ kind }: Value): boolean => kind === 'aggregate' || kind === 'count(*)';

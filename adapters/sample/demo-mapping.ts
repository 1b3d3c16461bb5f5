import { type EdgeDefinition, type NodeDefinition } from '../../domain/mapping';

/** The body of POST /mappings that makes a graph of one of the demo's databases. */
export interface DemoMapping {
  readonly name: string;
  readonly description: string;
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

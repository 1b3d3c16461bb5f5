import type * as t from 'io-ts';
import { type CommandContext, type CommandPorts } from '../../../commands/kit/command-context';
import { type ChangeCapacity } from '../../../commands/capacity/reserve-slot';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { type JobIntervals } from '../../../domain/job';
import { type ParkedEventRetry } from '../../../domain/ports/feed-consumer';
import { type PodClient } from '../../../domain/ports/pod-client';
import { type PodRuntime } from '../../../domain/ports/pod-runtime';
import { type EngineInspector } from '../../../domain/ports/query-engine';
import { type SampleMapping } from './schema/endpoints';
import { type AllowList } from '../../../domain/schema-cache';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';
import { type Caller } from '../identity';
import { type EndpointTable, type Handlers } from '../kit';
import { type ComponentPings } from './cluster/component-health';

/** The caller with the context of the command that the request gives. */
export interface ApiCaller extends Caller {
  /** Its command id is the same whenever a request with an `Idempotency-Key` is repeated. */
  readonly context: CommandContext;
}

/** One handler for every endpoint of a table of the public API. */
export type PublicHandlers<T extends EndpointTable> = Handlers<T, ApiCaller>;

/** What the handlers of the public API work with. */
export interface PublicDependencies {
  readonly ports: CommandPorts;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly changeCapacity: ChangeCapacity;
  readonly podClient: PodClient;
  readonly podRuntime: PodRuntime;
  readonly pings: ComponentPings;
  /** Users call with API keys, so the first one gets one. */
  readonly givesFirstKey: boolean;
  /** The base URL of instances; null if the control plane does not run pods, so that each pod reports its address. */
  readonly instanceBaseUrl: string | null;
  /** The service token of an instance's pods, for an external runner. */
  readonly podTokenOf: (instanceId: number) => string;
  readonly cleanup: {
    /** Whose resources an end-to-end cleanup deletes. */
    readonly testUsers: readonly string[];
    readonly objectStore: ObjectStore;
  };
  readonly schema: SchemaDependencies;
  readonly jobIntervals: JobIntervals;
  readonly parkedEvents: ParkedEventRetry;
  /** Whether the stores answer and the read models are up to date; `left`-like reasons by component otherwise. */
  readonly readiness: () => Promise<Readonly<Record<string, string>>>;
}

/** A graph to try, with the query whose answer is drawn first. */
export interface Sample {
  readonly write: () => Promise<void>;
  readonly mapping: t.TypeOf<typeof SampleMapping>;
}

/** What the schema browser and the SQL tools work with. */
export interface SchemaDependencies {
  readonly engine: EngineInspector;
  readonly allowList: AllowList;
  /** Starts a refresh of the schema cache in the background; two at once are one. */
  readonly refresh: () => 'started' | 'already_running';
  /** Writes the tables of the sample to the warehouse, unless they are there; null where it cannot be written to. */
  readonly sample: Sample | null;
}

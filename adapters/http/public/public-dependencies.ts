import type * as t from 'io-ts';
import { type ChangeCapacity } from '../../../commands/capacity/reserve-slot';
import { type CommandContext, type CommandPorts } from '../../../commands/kit/command-context';
import { type JobIntervals } from '../../../domain/job';
import { type ParkedEventRetry } from '../../../domain/ports/feed-consumer';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { type PodClient } from '../../../domain/ports/pod-client';
import { type PodRuntime } from '../../../domain/ports/pod-runtime';
import { type ProcessWork } from '../../../domain/ports/process-work';
import { type EngineInspector } from '../../../domain/ports/query-engine';
import { type AllowList } from '../../../domain/schema-cache';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';
import { type Caller, type Sessions } from '../identity';
import { type EndpointTable, type Handlers } from '../kit';
import { type ComponentPings } from './cluster/component-health';
import { type SampleMapping } from './schema/endpoints';

/** The caller with the command context of the request. */
export interface ApiCaller extends Caller {
  /** Its command id is stable across repetitions of a request with an `Idempotency-Key`. */
  readonly context: CommandContext;
}

export type PublicHandlers<T extends EndpointTable> = Handlers<T, ApiCaller>;

export interface PublicDependencies {
  readonly ports: CommandPorts;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly changeCapacity: ChangeCapacity;
  readonly podClient: PodClient;
  readonly podRuntime: PodRuntime;
  readonly work: Pick<ProcessWork, 'failureOf'>;
  readonly pings: ComponentPings;
  /** Whether the first user receives an API key, because users call with API keys. */
  readonly issuesFirstKey: boolean;
  /** Sessions of the console; null where users do not authenticate with API keys. */
  readonly sessions: Sessions | null;
  /** The base URL of instances; null if the control plane does not run pods, so that each pod reports its address. */
  readonly instanceBaseUrl: string | null;
  /** The service token for the pods of an instance, for an external runner. */
  readonly podTokenOf: (instanceId: number) => string;
  readonly cleanup: {
    /** Users whose resources an end-to-end cleanup deletes. */
    readonly testUsers: readonly string[];
    readonly objectStore: ObjectStore;
  };
  readonly schema: SchemaDependencies;
  readonly jobIntervals: JobIntervals;
  readonly parkedEvents: ParkedEventRetry;
  /** The reasons, by component, why a store does not respond or a read model is not up to date; empty when ready. */
  readonly readiness: () => Promise<Readonly<Record<string, string>>>;
}

/** What the operations on resources need, without the warehouse, the health of the components and the operations of ops. */
export type ResourceDependencies = Omit<
  PublicDependencies,
  'schema' | 'pings' | 'parkedEvents' | 'jobIntervals' | 'readiness' | 'podTokenOf' | 'sessions'
>;

/** An example graph, with its first query to draw. */
export interface Sample {
  readonly write: () => Promise<void>;
  readonly mapping: t.TypeOf<typeof SampleMapping>;
}

export interface SchemaDependencies {
  readonly engine: EngineInspector;
  readonly allowList: AllowList;
  /** Starts a refresh of the schema cache in the background; concurrent calls share one refresh. */
  readonly refresh: () => 'started' | 'already_running';
  /** Writes the tables of the sample to the warehouse, unless they exist; null if the warehouse is read-only. */
  readonly sample: Sample | null;
}

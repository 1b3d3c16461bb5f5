import { type CommandPorts } from '../../../commands/kit/command-context';
import { addressInStore } from '../../../domain/snapshot';
import { type TelemetryStore } from '../../../domain/ports/telemetry-store';
import { type SignedPod } from '../../contracts/graph-pod/request-signature';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';

/** What the handlers of the internal API work with. */
export interface InternalDependencies {
  readonly ports: CommandPorts;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly telemetry: TelemetryStore;
  /** The key that signs requests to a pod. */
  readonly requestKeyOf: (pod: SignedPod) => string;
  /** URL of the object store, without a trailing slash. */
  readonly storageRoot: string;
  /** The base URL of instances; null if the control plane does not run pods, so that each pod reports its address. */
  readonly instanceBaseUrl: string | null;
}

/** Something with a folder in the object store, with its address there. */
export const withCurrentAddress = <A extends { readonly storage_path: string }>(
  { storageRoot }: Pick<InternalDependencies, 'storageRoot'>,
  recorded: A,
): A => ({ ...recorded, storage_path: addressInStore(storageRoot, recorded.storage_path) });

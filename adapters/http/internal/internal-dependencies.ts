import { type CommandPorts } from '../../../commands/kit/command-context';
import { type ExportPolls } from '../../../domain/ports/export-polls';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { type TelemetryStore } from '../../../domain/ports/telemetry-store';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';
import { type SignedPod } from '../../contracts/graph-pod/request-signature';

export interface InternalDependencies {
  readonly ports: CommandPorts;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly telemetry: TelemetryStore;
  readonly polls: ExportPolls;
  /** The key that signs requests to a pod. */
  readonly requestKeyOf: (pod: SignedPod) => string;
  readonly objectStore: Pick<ObjectStore, 'getText' | 'list' | 'readableAddress'>;
  /** The base URL of instances; null if the control plane does not run pods, so that each pod reports its address. */
  readonly instanceBaseUrl: string | null;
  /** Called after an instance reports `running`, with the time its pod spent on loading. */
  readonly onRunning?: (instanceId: number, loadingSeconds: number | undefined) => Promise<void>;
}

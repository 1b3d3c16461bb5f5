import { type CommandPorts } from '../../../commands/kit/command-context';
import { type TelemetryStore } from '../../../domain/ports/telemetry-store';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';

/** What the handlers of the internal API work with. */
export interface InternalDependencies {
  readonly ports: CommandPorts;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly telemetry: TelemetryStore;
}

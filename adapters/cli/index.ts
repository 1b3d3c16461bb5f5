import { type ActionGroup } from './action';
import { adminCommands } from './commands/admin';
import { algorithmCommands } from './commands/algorithms';
import { catalogCommands } from './commands/catalog';
import { clusterCommands } from './commands/cluster';
import { completionCommands } from './commands/completion';
import { configCommands } from './commands/config';
import { exportJobCommands } from './commands/export-jobs';
import { favoriteCommands } from './commands/favorites';
import { graphCommands } from './commands/graph';
import { instanceCommands } from './commands/instances';
import { jobCommands } from './commands/jobs';
import { keyCommands } from './commands/keys';
import { mappingCommands } from './commands/mappings';
import { parkedCommands } from './commands/parked';
import { sessionCommands } from './commands/session';
import { sqlCommands } from './commands/sql';
import { tokenCommands } from './commands/tokens';
import { userCommands } from './commands/users';

const overTheApi: readonly ActionGroup[] = [
  sessionCommands,
  mappingCommands,
  instanceCommands,
  graphCommands,
  algorithmCommands,
  catalogCommands,
  sqlCommands,
  favoriteCommands,
  exportJobCommands,
  userCommands,
  keyCommands,
  tokenCommands,
  configCommands,
  clusterCommands,
  jobCommands,
  parkedCommands,
  adminCommands,
];

/** Commands over the API; commands on the server are in adapters/maintenance. */
export const clientCommands: readonly ActionGroup[] = [...overTheApi, completionCommands(() => clientCommands)];

export * from './action';
export { runProgram } from './program';
export { processTerminal } from './terminal';

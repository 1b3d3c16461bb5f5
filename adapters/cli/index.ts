import { type ActionGroup } from './action';
import { adminCommands } from './commands/admin';
import { algorithmCommands } from './commands/algorithms';
import { catalogCommands } from './commands/catalog';
import { clusterCommands } from './commands/cluster';
import { configCommands } from './commands/config';
import { exportJobCommands } from './commands/export-jobs';
import { favoriteCommands } from './commands/favorites';
import { graphCommands } from './commands/graph';
import { instanceCommands } from './commands/instances';
import { jobCommands } from './commands/jobs';
import { mappingCommands } from './commands/mappings';
import { sessionCommands } from './commands/session';
import { sqlCommands } from './commands/sql';
import { userCommands } from './commands/users';

/** What people do from wherever they are, over the API; commands on the server itself come from the composition. */
export const clientCommands: readonly ActionGroup[] = [
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
  configCommands,
  clusterCommands,
  jobCommands,
  adminCommands,
];

export * from './action';
export { runProgram } from './program';
export { processTerminal } from './terminal';

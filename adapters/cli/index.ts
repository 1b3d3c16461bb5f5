import { type ActionGroup } from './action';
import { adminCommands } from './commands/admin';
import { algorithmCommands } from './commands/algorithms';
import { auditCommands } from './commands/audit';
import { catalogCommands } from './commands/catalog';
import { completionCommands } from './commands/completion';
import { configCommands } from './commands/config';
import { keyCommands, tokenCommands } from './commands/credentials';
import { favoriteCommands, savedQueryCommands } from './commands/favorites';
import { graphCommands } from './commands/graph';
import { instanceCommands } from './commands/instances';
import { mappingCommands } from './commands/mappings';
import { clusterCommands, exportJobCommands, jobCommands, parkedCommands } from './commands/ops';
import { sessionCommands } from './commands/session';
import { sqlCommands } from './commands/sql';
import { userCommands } from './commands/users';
import { whyCommands } from './commands/why';

const apiCommands: readonly ActionGroup[] = [
  sessionCommands,
  mappingCommands,
  instanceCommands,
  graphCommands,
  algorithmCommands,
  catalogCommands,
  sqlCommands,
  favoriteCommands,
  savedQueryCommands,
  exportJobCommands,
  userCommands,
  keyCommands,
  tokenCommands,
  configCommands,
  clusterCommands,
  jobCommands,
  parkedCommands,
  auditCommands,
  whyCommands,
  adminCommands,
];

/** Commands that use the API; commands on the server are in adapters/maintenance. */
export const clientCommands: readonly ActionGroup[] = [...apiCommands, completionCommands(() => clientCommands)];

export * from './action';
export { runProgram } from './program';
export { processTerminal } from './terminal';

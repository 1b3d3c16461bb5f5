import { type ActionGroup } from './action';
import { configCommands } from './commands/config';
import { favoriteCommands } from './commands/favorites';
import { graphCommands } from './commands/graph';
import { instanceCommands } from './commands/instances';
import { mappingCommands } from './commands/mappings';
import { clusterCommands, exportJobCommands } from './commands/operations';
import { sessionCommands } from './commands/session';
import { userCommands } from './commands/users';

/** What people do from wherever they are, over the API; commands on the server itself come from the composition. */
export const clientCommands: readonly ActionGroup[] = [
  sessionCommands,
  mappingCommands,
  instanceCommands,
  graphCommands,
  favoriteCommands,
  exportJobCommands,
  userCommands,
  configCommands,
  clusterCommands,
];

export * from './action';
export { runProgram } from './program';
export { processTerminal } from './terminal';

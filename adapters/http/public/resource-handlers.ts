import { auditHandlers } from './audit/handlers';
import { configHandlers } from './config/handlers';
import { favoriteHandlers } from './favorite/handlers';
import { instanceChangeHandlers, instanceHandlers } from './instance/handlers';
import { mappingHandlers, mappingHistoryHandlers } from './mapping/handlers';
import { type PublicHandlers, type ResourceDependencies } from './public-dependencies';
import { type resourceEndpoints } from './public-endpoints';
import { savedQueryHandlers } from './saved-query/handlers';
import { snapshotHandlers } from './snapshot/handlers';
import { userHandlers } from './user/handlers';

export const resourceHandlers = (deps: ResourceDependencies): PublicHandlers<typeof resourceEndpoints> => ({
  ...userHandlers(deps),
  ...mappingHandlers(deps),
  ...mappingHistoryHandlers(deps),
  ...snapshotHandlers(deps),
  ...instanceChangeHandlers(deps),
  ...instanceHandlers(deps),
  ...favoriteHandlers(deps),
  ...savedQueryHandlers(deps),
  ...configHandlers(deps),
  ...auditHandlers(deps),
});

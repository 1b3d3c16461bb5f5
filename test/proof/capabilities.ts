import { type publicEndpoints } from '../../adapters/http/public/public-endpoints';

/** The outcome for a caller: `yes`, or the code of the refusal. */
type Cell = 'yes' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'PERMISSION_DENIED';

/** The callers: without identity, unknown, deactivated, the owner of the resource, another analyst, an admin, ops. */
export const CALLERS = ['anonymous', 'unknown', 'disabled', 'owner', 'other', 'admin', 'ops'] as const;

interface Capability {
  readonly cells: Readonly<Record<(typeof CALLERS)[number], Cell>>;
  readonly endpoints: readonly (keyof typeof publicEndpoints)[];
}

const strangers = { anonymous: 'UNAUTHORIZED', unknown: 'UNAUTHORIZED', disabled: 'UNAUTHORIZED' } as const;
const everyUser = { ...strangers, owner: 'yes', other: 'yes', admin: 'yes', ops: 'yes' } as const;
const admins = { ...everyUser, owner: 'FORBIDDEN', other: 'FORBIDDEN' } as const;

/** The permission matrix. Every endpoint belongs to one capability. */
export const CAPABILITIES: Readonly<Record<string, Capability>> = {
  'call without identity': {
    cells: { ...everyUser, anonymous: 'yes', unknown: 'yes', disabled: 'yes' },
    endpoints: ['bootstrap', 'countPendingExportJobs', 'closeSession'],
  },
  'list and read any mapping, instance, version, diff': {
    cells: everyUser,
    endpoints: [
      'listMappings',
      'getMapping',
      'listMappingVersions',
      'getMappingVersion',
      'diffMappingVersions',
      'getMappingTree',
      'listMappingInstances',
      'listMappingSnapshots',
      'getSnapshot',
      'listInstances',
      'getInstance',
      'getInstanceProgress',
      'listInstanceEvents',
      'listMappingAudit',
      'listSnapshotAudit',
      'listInstanceAudit',
      'explainMapping',
      'explainSnapshot',
      'explainInstance',
      'getHealth',
      'getSession',
      'openSession',
    ],
  },
  'create mapping, instance, copy': {
    cells: everyUser,
    endpoints: ['createMapping', 'copyMapping', 'createInstance'],
  },
  'change and delete what one owns': {
    cells: { ...everyUser, other: 'PERMISSION_DENIED' },
    endpoints: [
      'updateMapping',
      'deleteMapping',
      'setMappingLifecycle',
      'updateInstance',
      'updateInstanceLifecycle',
      'updateInstanceCpu',
      'updateInstanceMemory',
      'updateInstanceAccess',
      'deleteInstance',
    ],
  },
  'issue and list the own access tokens': {
    cells: everyUser,
    endpoints: ['issueAccessToken', 'listAccessTokens'],
  },
  'revoke the access tokens of the own instance': {
    cells: { ...everyUser, other: 'PERMISSION_DENIED' },
    endpoints: ['revokeAccessToken'],
  },
  'read the own status, use own favorites and saved queries, see export jobs': {
    cells: everyUser,
    endpoints: [
      'getUserInstanceStatus',
      'listFavorites',
      'addFavorite',
      'removeFavorite',
      'listSavedQueries',
      'saveQuery',
      'deleteSavedQuery',
      'listExportJobs',
      'listExportJobAudit',
      'explainExportJob',
    ],
  },
  'browse the catalogs': {
    cells: everyUser,
    endpoints: [
      'listSchemaCatalogs',
      'listCatalogSchemas',
      'listSchemaTables',
      'listTableColumns',
      'sampleTableRows',
      'searchSchemaTables',
      'searchSchemaColumns',
      'browseCatalogs',
      'browseSchemas',
      'browseTables',
      'browseColumns',
      'parseSql',
      'validateSql',
    ],
  },
  'refresh the schema cache, delete in bulk': {
    cells: admins,
    endpoints: ['refreshSchemaCache', 'getSchemaStats', 'addSample', 'deleteInBulk', 'cleanUpAfterTests'],
  },
  'configure and operate': {
    cells: { ...admins, admin: 'FORBIDDEN' },
    endpoints: [
      'getLifecycleConfig',
      'setLifecycleConfig',
      'getConcurrencyConfig',
      'setConcurrencyConfig',
      'getMaintenanceConfig',
      'setMaintenanceConfig',
      'getExportConfig',
      'setExportConfig',
      'listConfigAudit',
      'getClusterHealth',
      'getClusterInstances',
      'getJobsStatus',
      'triggerJob',
      'getOpsState',
      'listOpsExportJobs',
      'listPodsToRun',
      'listParkedEvents',
      'retryParkedEvents',
      'skipParkedEvent',
    ],
  },
  'manage users': {
    cells: admins,
    endpoints: ['createUser', 'listUsers', 'updateUser', 'changeUserRole', 'deactivateUser'],
  },
  'read all events': {
    cells: admins,
    endpoints: ['listAuditEvents'],
  },
  'read the own user record and its events': {
    cells: { ...everyUser, other: 'FORBIDDEN' },
    endpoints: ['getUser', 'listUserAudit'],
  },
  'manage the own API keys': {
    cells: { ...everyUser, other: 'FORBIDDEN' },
    endpoints: ['createApiKey', 'listApiKeys', 'revokeApiKey'],
  },
};

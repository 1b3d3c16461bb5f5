import { apiKeyEvents, apiKeys } from '../../domain/api-keys';
import { capacity, capacityEvents } from '../../domain/capacity';
import { bulkDeletion, bulkDeletionEvents, testCleanup, testCleanupEvents } from '../../domain/cleanup';
import { config, configEvents } from '../../domain/config';
import { exportJob, exportJobEvents } from '../../domain/export-job';
import { favorites, favoritesEvents } from '../../domain/favorites';
import { instance, instanceEvents } from '../../domain/instance';
import { job, jobEvents } from '../../domain/job';
import { mapping, mappingEvents } from '../../domain/mapping';
import { parkedEventOrders, parkedEventsEvents } from '../../domain/parked-events';
import { snapshot, snapshotEvents } from '../../domain/snapshot';
import { opsGuard, opsGuardEvents, user, userEvents } from '../../domain/user';

/** Each aggregate with the events its streams hold. */
export const mappings = { decider: mapping, catalogue: mappingEvents };
export const snapshots = { decider: snapshot, catalogue: snapshotEvents };
export const exportJobs = { decider: exportJob, catalogue: exportJobEvents };
export const instances = { decider: instance, catalogue: instanceEvents };
export const users = { decider: user, catalogue: userEvents };
export const apiKeysOfUsers = { decider: apiKeys, catalogue: apiKeyEvents };
export const opsGuards = { decider: opsGuard, catalogue: opsGuardEvents };
export const capacities = { decider: capacity, catalogue: capacityEvents };
export const configs = { decider: config, catalogue: configEvents };
export const favoritesOfUsers = { decider: favorites, catalogue: favoritesEvents };
export const bulkDeletions = { decider: bulkDeletion, catalogue: bulkDeletionEvents };
export const testCleanups = { decider: testCleanup, catalogue: testCleanupEvents };
export const parkedEventRetries = { decider: parkedEventOrders, catalogue: parkedEventsEvents };
export const jobs = { decider: job, catalogue: jobEvents };

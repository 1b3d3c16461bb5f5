import { type Migration } from './migration';

/** Since when a lease is held without a break, for those who wonder who holds it. */
export const leaseTimes: Migration = {
  id: 12,
  name: 'lease times',
  sql: `ALTER TABLE es.leases ADD COLUMN since timestamptz NOT NULL DEFAULT now();`,
};

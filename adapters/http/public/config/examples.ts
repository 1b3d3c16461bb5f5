import { type OperationExamples } from '../../kit';

export const configExamples: OperationExamples = {
  getLifecycleConfig: [
    {
      summary: 'As it is delivered',
      as: 'olivia',
      status: 200,
      answer: {
        mapping: { default_ttl: null, default_inactivity: 'P30D', max_ttl: 'P365D' },
        snapshot: { default_ttl: 'P7D', default_inactivity: 'P3D', max_ttl: 'P30D' },
        instance: { default_ttl: 'PT24H', default_inactivity: 'PT4H', max_ttl: 'P7D' },
      },
    },
    {
      summary: 'For ops only',
      as: 'anna',
      status: 403,
      answer: {
        code: 'FORBIDDEN',
        message: 'This needs the role ops; yours is admin.',
        details: { required_role: 'ops', your_role: 'admin' },
      },
    },
  ],
  setLifecycleConfig: [
    {
      summary: 'Instances live two days unless asked otherwise',
      as: 'olivia',
      body: { instance: { default_ttl: 'P2D', default_inactivity: 'PT8H' } },
      status: 200,
      answer: { updated: true, updated_at: '2026-11-21T18:46:35.953Z' },
    },
  ],
  getConcurrencyConfig: [
    { summary: 'As it is delivered', as: 'olivia', status: 200, answer: { per_analyst: 5, cluster_total: 50 } },
  ],
  setConcurrencyConfig: [
    {
      summary: 'A larger cluster',
      as: 'olivia',
      body: { per_analyst: 5, cluster_total: 60 },
      status: 200,
      answer: { per_analyst: 5, cluster_total: 60, updated_at: '2026-11-21T18:46:36.021Z' },
    },
    {
      summary: 'Nobody can have more than all',
      as: 'olivia',
      body: { per_analyst: 60, cluster_total: 50 },
      status: 400,
      answer: {
        code: 'VALIDATION_FAILED',
        message: 'per_analyst must be at most cluster_total, 50.',
        details: {
          field: 'per_analyst',
          errors: [{ field: 'per_analyst', message: 'must be at most cluster_total, 50' }],
        },
      },
    },
  ],
  getMaintenanceConfig: [
    {
      summary: 'As it is delivered',
      as: 'olivia',
      status: 200,
      answer: { enabled: false, message: '', updated_at: null, updated_by: null },
    },
  ],
  setMaintenanceConfig: [
    {
      summary: 'The upgrade is over',
      as: 'olivia',
      body: { enabled: false, message: '' },
      status: 200,
      answer: { enabled: false, message: '', updated_at: '2026-11-21T18:46:36.084Z', updated_by: 'olivia' },
    },
  ],
  getExportConfig: [
    {
      summary: 'As it is delivered',
      as: 'olivia',
      status: 200,
      answer: { max_duration_seconds: 3600, updated_at: null, updated_by: null },
    },
  ],
  setExportConfig: [
    {
      summary: 'Two hours',
      as: 'olivia',
      body: { max_duration_seconds: 7200 },
      status: 200,
      answer: { max_duration_seconds: 7200, updated_at: '2026-11-21T18:46:36.140Z', updated_by: 'olivia' },
    },
  ],
};

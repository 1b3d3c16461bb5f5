import { type ExampleRequests } from '../../kit';

export const configExamples: ExampleRequests = {
  getLifecycleConfig: [
    { summary: 'The default', as: 'olivia', status: 200 },
    { summary: 'For ops only', as: 'anna', status: 403 },
  ],
  setLifecycleConfig: [
    {
      summary: 'Instances live two days unless asked otherwise',
      as: 'olivia',
      body: { instance: { default_ttl: 'P2D', default_inactivity: 'PT8H' } },
      status: 200,
    },
  ],
  getConcurrencyConfig: [{ summary: 'The default', as: 'olivia', status: 200 }],
  setConcurrencyConfig: [
    { summary: 'A larger cluster', as: 'olivia', body: { per_analyst: 5, cluster_total: 60 }, status: 200 },
    {
      summary: 'The limit per analyst exceeds the total',
      as: 'olivia',
      body: { per_analyst: 60, cluster_total: 50 },
      status: 400,
    },
  ],
  getMaintenanceConfig: [{ summary: 'The default', as: 'olivia', status: 200 }],
  setMaintenanceConfig: [
    { summary: 'The upgrade is over', as: 'olivia', body: { enabled: false, message: '' }, status: 200 },
  ],
  getExportConfig: [{ summary: 'The default', as: 'olivia', status: 200 }],
  setExportConfig: [{ summary: 'Two hours', as: 'olivia', body: { max_duration_seconds: 7200 }, status: 200 }],
};

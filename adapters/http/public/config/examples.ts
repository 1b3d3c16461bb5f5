import { type ExampleRequests } from '../../kit';

export const configExamples: ExampleRequests = {
  getLifecycleConfig: [
    { summary: 'As it is delivered', as: 'olivia', status: 200 },
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
  getConcurrencyConfig: [{ summary: 'As it is delivered', as: 'olivia', status: 200 }],
  setConcurrencyConfig: [
    { summary: 'A larger cluster', as: 'olivia', body: { per_analyst: 5, cluster_total: 60 }, status: 200 },
    {
      summary: 'Nobody can have more than all',
      as: 'olivia',
      body: { per_analyst: 60, cluster_total: 50 },
      status: 400,
    },
  ],
  getMaintenanceConfig: [{ summary: 'As it is delivered', as: 'olivia', status: 200 }],
  setMaintenanceConfig: [
    { summary: 'The upgrade is over', as: 'olivia', body: { enabled: false, message: '' }, status: 200 },
  ],
  getExportConfig: [{ summary: 'As it is delivered', as: 'olivia', status: 200 }],
  setExportConfig: [{ summary: 'Two hours', as: 'olivia', body: { max_duration_seconds: 7200 }, status: 200 }],
};

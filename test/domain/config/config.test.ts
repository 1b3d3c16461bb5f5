import { config, type ConfigEvent, DEFAULT_LIFECYCLE } from '../../../domain/config';
import { given } from '../../support/given-when-then';

const configured = (changes: object): ConfigEvent => ({
  type: 'LifecycleConfigured',
  data: { ...DEFAULT_LIFECYCLE, instance: { ...DEFAULT_LIFECYCLE.instance, ...changes } },
});

describe('the configuration', () => {
  it('has defaults', () => {
    expect(given(config).state()).toMatchObject({
      concurrency: { perAnalyst: 5, clusterTotal: 50 },
      maintenance: { enabled: false },
      exportMaxSeconds: 3600,
    });
  });

  it('keeps omitted lifetimes', () => {
    given(config)
      .when({ type: 'ConfigureLifecycle', instance: { maxTtl: 'P14D' } })
      .happens(configured({ maxTtl: 'P14D' }));
    given(config, configured({ maxTtl: 'P14D' }))
      .when({ type: 'ConfigureLifecycle', instance: { defaultTtl: null, defaultInactivity: 'PT1H' } })
      .happens(configured({ maxTtl: 'P14D', defaultTtl: null, defaultInactivity: 'PT1H' }));
  });

  it('rejects a default ttl above the maximum ttl, and names the field that was sent', () => {
    given(config)
      .when({ type: 'ConfigureLifecycle', instance: { defaultTtl: 'P8D' } })
      .isRefused('VALIDATION_FAILED', { field: 'instance.default_ttl', requested: 'P8D', max_allowed: 'P7D' });
    given(config)
      .when({ type: 'ConfigureLifecycle', snapshot: { maxTtl: 'P6D' } })
      .isRefused('VALIDATION_FAILED', { field: 'snapshot.max_ttl' });
    given(config)
      .when({ type: 'ConfigureLifecycle', instance: { defaultTtl: 'P8D', maxTtl: 'P8D' } })
      .happens(configured({ defaultTtl: 'P8D', maxTtl: 'P8D' }));
  });

  it('rejects a limit per user above the limit of the cluster', () => {
    given(config)
      .when({ type: 'ConfigureConcurrency', perAnalyst: 6, clusterTotal: 5 })
      .isRefused('VALIDATION_FAILED', { field: 'per_analyst' });
    given(config)
      .when({ type: 'ConfigureConcurrency', perAnalyst: 5, clusterTotal: 5 })
      .happens({ type: 'ConcurrencyConfigured', data: { perAnalyst: 5, clusterTotal: 5 } });
  });

  it('records unchanged values too', () => {
    const off: ConfigEvent = { type: 'MaintenanceConfigured', data: { enabled: false, message: '' } };
    given(config).when({ type: 'ConfigureMaintenance', enabled: false, message: '' }).happens(off);
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '../../../support/wait-for';
import { output } from './helm';

/** Custom resource definitions of other projects whose kinds the chart renders, in the Go modules of these projects. */
const DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  'github.com/kedacore/keda/v2@v2.18.0': ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  'sigs.k8s.io/gateway-api@v1.4.0': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
};

/** Downloads the definitions with `go` and creates them, so that the API server checks objects of these kinds. */
export const installCrds = async (): Promise<void> => {
  for (const [module, paths] of Object.entries(DEFINITIONS)) {
    const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module]);
    const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
    for (const path of paths) await output('kubectl', ['apply', '--server-side', '--filename', join(Dir, path)]);
  }
  // It fails for a definition that has no conditions yet.
  const wait = () => output('kubectl', ['wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all']);
  await waitFor('the definitions are established', () =>
    wait().then(
      () => true,
      () => false,
    ),
  );
};

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adminKubeconfig } from './describe-with-kubernetes';

interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef: { readonly resource: string; readonly subresource?: string };
}

/** The permissions that an account has used, by the audit log of the API server: `patch pods/resize`. */
export const usedPermissions = (username: string): ReadonlySet<string> => {
  const log = join(dirname(adminKubeconfig()), 'audit.log');
  if (!existsSync(log)) throw new Error(`${log} is missing: start the server with servers/kubernetes.sh`);
  const events = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes(username))
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ user }) => user.username === username);
  return new Set(
    events.map(
      ({ verb, objectRef: { resource, subresource } }) =>
        `${verb} ${[resource, subresource].filter(Boolean).join('/')}`,
    ),
  );
};

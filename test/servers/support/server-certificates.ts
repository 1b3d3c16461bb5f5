import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface ServerCertificates {
  /** The folder that contains only the certificate of the authority. */
  readonly authorities: string;
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

const run = promisify(execFile);
const DAYS = '30';

/** Creates an authority and a certificate of it for servers on 127.0.0.1, with `openssl` in a folder. */
export const createServerCertificates = async (folder: string): Promise<ServerCertificates> => {
  const authorities = join(folder, 'authorities');
  await mkdir(authorities, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]) => run('openssl', [...args], { cwd: folder });
  const authorityFile = join(authorities, 'ca.crt');
  const newKey = ['-newkey', 'rsa:2048', '-nodes', '-sha256', '-days', DAYS];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', authorityFile, '-subj', '/CN=a test authority');
  await openssl('req', ...newKey, '-keyout', 'node.key', '-out', 'node.csr', '-subj', '/CN=eventstoredb-node');
  await writeFile(
    file('node.ext'),
    'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  const signing = ['-CA', authorityFile, '-CAkey', 'ca.key', '-CAcreateserial', '-days', DAYS, '-sha256'];
  await openssl('x509', '-req', '-in', 'node.csr', ...signing, '-extfile', 'node.ext', '-out', 'node.crt');
  return { authorities, authorityFile, certificateFile: file('node.crt'), keyFile: file('node.key') };
};

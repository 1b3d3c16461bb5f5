import { dirname, join } from 'node:path';

/** The reason why this machine cannot run a kind of pod; null if no reason is known without a try. */
export const platformUnavailableReason = (kind: 'graphdb_a' | 'graphdb_b'): string | null => {
  if (kind === 'graphdb_a') return null;
  const { platform, arch } = process;
  const reason =
    platform !== 'linux' || arch !== 'x64'
      ? `its server is made for linux on x64, and this is ${platform} on ${arch}`
      : installedPrograms() === null
        ? 'the package @falkordblite/linux-x64 is not installed (it is an optional dependency)'
        : null;
  return reason === null ? null : `graphdb_b cannot run on this machine: ${reason}; use graphdb_a`;
};

/** The folder of FalkorDB's installed programs; null if it is missing. */
export const installedPrograms = (): string | null => {
  try {
    return join(dirname(require.resolve('@falkordblite/linux-x64/package.json')), 'bin');
  } catch {
    return null;
  }
};

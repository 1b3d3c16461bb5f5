/** Does something while processes stand still, so that nothing they work on ends meanwhile. */
export const whileFrozen = async <A>(pids: readonly number[], what: () => Promise<A>): Promise<A> => {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await what();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
};

/** `<owner>/<mapping>/v<version>/<snapshot>/`, and within it the folder of one definition: how rowgraph lays out exports. */
const LAYOUT = /^.+\/([^/]+\/\d+\/v\d+\/\d+\/(?:(?:node|edge)s\/[^/]+\/)?)$/;

/**
 * Where a recorded folder is in the object store as it is now. Events name folders by their full address; the store may
 * have been restored, or moved, to another place since, and everything in it has kept its place below the root. A folder
 * that somebody else laid out, a submitter of jobs, stays where it was.
 */
export const addressInStore = (root: string, recorded: string): string => {
  if (recorded.startsWith(`${root}/`)) return recorded;
  const [, place] = LAYOUT.exec(recorded) ?? [];
  return place === undefined ? recorded : `${root}/${place}`;
};

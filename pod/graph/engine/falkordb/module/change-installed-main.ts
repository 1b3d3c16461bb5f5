import { isLeft } from 'fp-ts/Either';
import { installedPrograms } from '../../../../../adapters/contracts/graph-pod/platform';
import { changeInstalled } from './programs';

/** Changes the installed programs of FalkorDB in place when an image is built, so that its pods do not need copies. */
void changeInstalled(installedPrograms()).then((changed) => {
  if (isLeft(changed)) process.stderr.write(`The programs of FalkorDB could not be changed: ${changed.left}\n`);
  process.exitCode = isLeft(changed) ? 1 : 0;
});

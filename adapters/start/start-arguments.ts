import { Command } from 'commander';
import { packageVersion } from '../system/package-root';
import { SERVER_VARIABLES } from './settings';

/** Tells how `npm start` is used when that is asked, or when it is given anything else, and ends the program. */
export const readStartArguments = (words: readonly string[]): void => {
  new Command('npm start')
    .usage('[-- --help]')
    .description('Starts rowgraph with everything it needs on this machine; Ctrl-C or SIGTERM ends it.')
    .version(packageVersion, '-V, --version', 'print the version')
    .allowExcessArguments(false)
    .showHelpAfterError('(npm start -- --help says how it is set up)')
    .addHelpText('after', SETTINGS)
    .parse([...words], { from: 'user' });
};

const SETTINGS = `
Settings are environment variables; docs/settings.md says what they mean:
${SERVER_VARIABLES.map((name) => `  ${name}`).join('\n')}

The command line that works with it: npm run cli -- --help`;

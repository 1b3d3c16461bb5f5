import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup, nameOf, type OptionSpec } from '../action';
import { connect, type Session } from '../connection';
import { unknownValue } from '../failure';
import { commonOptions } from '../program';
import { placeholderOf } from '../request-fields';

const ASK = 'rowgraph complete --';

/** Shell functions that call `rowgraph complete` for the candidates of the last word. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_rowgraph() {
  local IFS=$'\\n'
  COMPREPLY=($(${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o filenames -F _rowgraph rowgraph`,
  fish: `complete -c rowgraph -f -a '(${ASK} (commandline -opc)[2..] (commandline -ct) 2>/dev/null; or __fish_complete_path (commandline -ct))'`,
};
const SHELLS = ['bash', 'zsh', 'fish'];

export const completionCommands = (groups: () => readonly ActionGroup[]): ActionGroup => ({
  name: null,
  summary: '',
  actions: [
    {
      usage: 'completion <shell>',
      summary: 'Print a completion script for bash, zsh or fish',
      choices: { shell: SHELLS },
      examples: [
        'completion bash > ~/.local/share/bash-completion/completions/rowgraph',
        'completion fish > ~/.config/fish/completions/rowgraph.fish',
      ],
      runLocally: (_context, input) => {
        const shell = input.argument(0);
        const script = SCRIPTS[shell === 'zsh' ? 'bash' : shell];
        if (script === undefined) return Promise.resolve(left(unknownValue('shell', shell, SHELLS)));
        const text = shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
        return Promise.resolve(right({ data: { shell, script: text }, text }));
      },
    },
    {
      usage: 'complete <words...>',
      summary: 'Print the candidates for the last word',
      isHidden: true,
      runLocally: async ({ terminal, environment }, { args }) => {
        const session = connect(terminal, environment, undefined);
        // As typed in the shell: with an opening quote or backslashes.
        const last = (args.at(-1) ?? '').replace(/^["']/, '').replaceAll(/\\(.)/g, '$1');
        const all = await candidates(groups(), args.slice(0, -1), last, isLeft(session) ? null : session.right);
        const data = all.filter((one) => one.startsWith(last));
        return right({ data, text: data.join('\n'), exitCode: data.length === 0 ? 1 : undefined });
      },
    },
  ],
});

const commandOf = ({ usage }: Action): string => usage.split(' ')[0] ?? '';

/** Completion candidates after these words. */
const candidates = async (
  groups: readonly ActionGroup[],
  args: readonly string[],
  last: string,
  session: Session | null,
): Promise<readonly string[]> => {
  const [first] = args;
  const group = groups.find(({ name }) => name !== null && name === first);
  const actions = group?.actions ?? groups.flatMap((one) => (one.name === null ? one.actions : []));
  const written = group === undefined ? args : args.slice(1);
  const action = actions.find((one) => commandOf(one) === written[0]);
  if (action === undefined) {
    const names = group === undefined ? groups.flatMap(({ name }) => (name === null ? [] : [name])) : [];
    return written.length > 0 ? [] : [...names, ...actions.filter((one) => !one.isHidden).map(commandOf)];
  }
  const options = [...(action.options ?? []), ...commonOptions(action)];
  const rest = written.slice(1);
  const option = valueOption(options, rest.at(-1));
  if (option !== undefined) return option.choices ?? namesOf(placeholderOf(option.flags), session);
  if (last.startsWith('-')) return [...options.map((one) => `--${nameOf(one)}`), '--help'];
  const before = rest.filter(
    (word, index) => !word.startsWith('-') && valueOption(options, rest[index - 1]) === undefined,
  );
  const placeholders = action.usage.split(' ').slice(1).map(placeholderOf);
  const placeholder = placeholders[Math.min(before.length, placeholders.length - 1)] ?? '';
  const isOpen = before.length < placeholders.length || action.usage.endsWith('...>');
  return isOpen ? (action.choices?.[placeholder] ?? namesOf(placeholder, session)) : [];
};

/** The option that a word is, if it needs a value. */
const valueOption = (options: readonly OptionSpec[], word: string | undefined): OptionSpec | undefined =>
  options.find(({ flags }) => flags.includes('<') && word !== undefined && flags.split(/[ ,]+/).includes(word));

/** The names of mappings or instances. */
const namesOf = async (placeholder: string, session: Session | null): Promise<readonly string[]> => {
  if (session === null) return [];
  const query = { limit: 100 };
  const list = { mapping: session.api.listMappings, instance: session.api.listInstances }[placeholder];
  const found = await list?.({ query });
  return found === undefined || isLeft(found) ? [] : found.right.data.map(({ name }) => name);
};

import { left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { wrongUsage } from '../failure';

/** What can stand behind some words: the first ones, the commands of a group, or the options of a command. */
interface Place {
  readonly words: readonly string[];
  readonly next: readonly string[];
}

const optionNames = ({ options = [], takesCsv, ...action }: Action): readonly string[] => [
  ...options.flatMap(({ flags }) => /--[a-z-]+/.exec(flags) ?? []),
  ...('run' in action ? ['--url'] : []),
  ...['--json', '--tsv', ...(takesCsv ? ['--csv'] : []), '--help'],
];

const placesOf = (groups: readonly ActionGroup[]): readonly Place[] => {
  const commandOf = ({ usage }: Action): string => usage.split(' ')[0] ?? usage;
  const first = groups.flatMap(({ name, actions }) => (name === null ? actions.map(commandOf) : [name]));
  const behind = groups.flatMap(({ name, actions }): readonly Place[] => [
    ...(name === null ? [] : [{ words: [name], next: actions.map(commandOf) }]),
    ...actions.map((action) => ({
      words: [...(name === null ? [] : [name]), commandOf(action)],
      next: optionNames(action),
    })),
  ]);
  return [{ words: [], next: first }, ...behind];
};

/** Looks up the longest beginning of the line that is a place. */
const bash = (places: readonly Place[]): string =>
  [
    '_rowgraph() {',
    '  local line="${COMP_WORDS[*]:1:COMP_CWORD-1}" next',
    '  case "$line" in',
    ...[...places]
      .sort((one, other) => other.words.length - one.words.length)
      .map(({ words, next }) => {
        const line = words.join(' ');
        const pattern = line === '' ? "''" : next[0]?.startsWith('--') ? `'${line}'|'${line} '*` : `'${line}'`;
        return `    ${pattern}) next='${next.join(' ')}' ;;`;
      }),
    '  esac',
    '  COMPREPLY=($(compgen -W "$next" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _rowgraph rowgraph',
  ].join('\n');

const fish = (places: readonly Place[]): string =>
  places
    .map(({ words, next }) => {
      const isAt = words.map((word) => `__fish_seen_subcommand_from ${word}`);
      const [first] = next;
      if (first?.startsWith('--') === true) {
        return next.map((name) => `complete -c rowgraph -n '${isAt.join('; and ')}' -l ${name.slice(2)}`).join('\n');
      }
      const isOpen = words.length === 0 ? '__fish_use_subcommand' : `not __fish_seen_subcommand_from ${next.join(' ')}`;
      return `complete -c rowgraph -f -n '${[...isAt, isOpen].join('; and ')}' -a '${next.join(' ')}'`;
    })
    .join('\n');

const SHELLS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash,
  zsh: (places) => `autoload -U +X bashcompinit && bashcompinit\n${bash(places)}`,
  fish,
};

/** A command that prints what makes a shell complete these groups. */
export const completionCommand = (groups: readonly ActionGroup[]): Action => ({
  usage: 'completion <shell>',
  summary: `Print what makes a shell complete commands and options: ${Object.keys(SHELLS).join(', ')}`,
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/rowgraph',
    'completion fish > ~/.config/fish/completions/rowgraph.fish',
  ],
  runLocally: (_context, given) => {
    const shell = given.argument(0);
    const write = SHELLS[shell];
    const known = Object.keys(SHELLS).join(', ');
    if (write === undefined)
      return Promise.resolve(left(wrongUsage(`There is nothing for ${shell}; there is ${known}.`)));
    const text = write(placesOf(groups));
    return Promise.resolve(right({ data: { shell, script: text }, text }));
  },
});

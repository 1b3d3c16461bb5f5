import { isLeft, right } from 'fp-ts/Either';
import { type Config, CONFIG_STREAM, type ConfigCommand } from '../../domain/config';
import { configs } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { loadStream, type LogPorts } from '../kit/load-stream';

/** Changes one part of the configuration; it applies to all later decisions. */
export const configure = (
  ports: CommandPorts,
  command: ConfigCommand,
  context: CommandContext,
): CommandResult<CommandOutcome<Config>, 'VALIDATION_FAILED'> =>
  handleCommand(ports, configs, CONFIG_STREAM, command, context);

/** The current configuration, with defaults for unset parts. */
export const loadConfig = async (ports: LogPorts): CommandResult<Config> => {
  const loaded = await loadStream(ports, configs, CONFIG_STREAM);
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};

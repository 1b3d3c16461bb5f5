/** Who calls: the ways to identify a caller, the users behind them, and who may enter an instance. */
export * from './identity';
export * from './admit-caller';
export * from './follow-token';
export * from './identify-caller';
export * from './until-read-model-changes';

export { type Matchers, matchers } from './matchers';
export { MeasuredTest } from './measured-test';
export { readRun } from './recorded';
export { run } from './run';
export { send } from './send';
export type * from './types';
export { watch } from './watch';

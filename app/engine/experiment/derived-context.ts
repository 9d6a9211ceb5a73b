import type { RunContext } from './experiment';

/**
 * The context of a part of a run, with some members of its own. A context throws if a member that is not open is read, so this one copies
 * none.
 */
export function derivedContext<Context extends RunContext>(
  context: Context,
  own: Partial<RunContext>,
): Context {
  return Object.create(context, Object.getOwnPropertyDescriptors(own));
}

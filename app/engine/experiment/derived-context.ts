import type { RunContext } from './experiment';

/** The context of a part of a run, with members of its own. A context throws where a member that is not open is read, so none is copied. */
export function derivedContext<Context extends RunContext>(
  context: Context,
  own: Partial<RunContext>,
): Context {
  return Object.create(context, Object.getOwnPropertyDescriptors(own));
}

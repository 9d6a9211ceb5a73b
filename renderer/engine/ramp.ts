import { streamLoadDeclaration } from '../../app/experiments/stream-load/declaration';
import { useConsole } from './console-store';

/** The experiment whose live screen is Streams. */
export const rampId = streamLoadDeclaration.id;

export function useIsRamp(): boolean {
  return useConsole(({ engine }) => engine?.run?.experiment === rampId);
}
